/** Something that happens once. */
export interface Signal {
  given: Promise<void>;
  give(): void;
}

export function createSignal(): Signal {
  let give: () => void = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
