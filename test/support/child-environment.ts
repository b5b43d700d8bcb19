const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;

/** What a process of ours needs to be found, and not to compile again what others have compiled; no settings. */
export const childEnvironment = { PATH, NODE_COMPILE_CACHE } as const;
