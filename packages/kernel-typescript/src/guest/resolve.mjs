// import.meta exists in modules only, and the kernel is none, for the sake of its start.
export const resolve = (specifier, parent) => import.meta.resolve(specifier, parent);
