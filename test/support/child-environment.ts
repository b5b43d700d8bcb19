const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;

/** The variables that a child process needs to find programs and to reuse compiled code; none of the bot's settings. */
export const childEnvironment = { PATH, NODE_COMPILE_CACHE } as const;
