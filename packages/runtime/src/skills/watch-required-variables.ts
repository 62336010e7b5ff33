import type { SkillLibrary } from "./skill-library.js";

/** The same library, telling of the environment variables that the skills in use need. */
export function watchRequiredVariables(
  library: SkillLibrary,
  onRequired: (skill: string, names: readonly string[]) => void,
): SkillLibrary {
  const watched =
    <Args extends unknown[], S extends { name: string; requiredEnvironmentVariables: string[] }>(
      method: (...args: Args) => Promise<S>,
    ) =>
    async (...args: Args) => {
      const skill = await method(...args);
      if (skill.requiredEnvironmentVariables.length > 0) onRequired(skill.name, skill.requiredEnvironmentVariables);
      return skill;
    };
  return {
    ...library,
    get: watched(library.get),
    load: watched(library.load),
    create: watched(library.create),
    rollback: watched(library.rollback),
  };
}
