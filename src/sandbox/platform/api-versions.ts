/** Versions of REST and the gateway that are served; they do not differ in what the bot uses. */
export const apiVersions: readonly number[] = [9, 10];
export const newestVersion = 10;

/** Without a version Discord takes its own default; last, because the others lie below it. */
export const apiRoots: readonly string[] = [...apiVersions.map((each) => `/api/v${each}`), "/api"];
