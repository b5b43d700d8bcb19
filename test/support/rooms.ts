/** A folder of `src` or a file directly in it, with what it may import; `commands` is one too. */
export interface Room {
  /** Other rooms, at their index.ts; with `type` before the name their types alone. */
  readonly imports: readonly string[];
  /** Outside packages that are used here and in no room that does not list them. */
  readonly packages?: readonly string[];
  /** Folders within, each with those beside it that it may import. `.` are the room's own files, which may import all. */
  readonly folders?: Readonly<Record<string, readonly string[]>>;
  /** Its folders meet only at their index.ts, as rooms do, and in no circle. */
  readonly hasDoors?: true;
}

/** Every room may import these. */
export const freeRooms: readonly string[] = ["errors", "clock", "cache"];

/**
 * All rooms, from what people can do down to what everything stands on; `main` and `bot` wire. After a change here
 * `npm run rooms` writes Biome's rules anew; `test/arrows.test.ts` holds every import against this table.
 */
export const rooms: Readonly<Record<string, Room>> = {
  main: { imports: ["cli", "config", "log", "bot", "sandbox"] },
  keys: { imports: ["cli", "store"] },
  doctor: { imports: ["config", "log", "http", "store", "database", "jobs"] },
  parked: { imports: ["cli", "database", "jobs"] },
  cli: { imports: ["config"] },
  sandbox: {
    imports: ["bot", "config", "log", "images", "store", "video"],
    packages: [
      "@hono/node-server",
      "@skyra/discord-components-core",
      "discord-api-types",
      "fflate",
      "hono",
      "lit",
      "onnxruntime-web",
      "vite",
      "ws",
    ],
    folders: {
      hub: ["."],
      samples: ["."],
      background: ["."],
      // The stand-in for consents takes from the one for videos what a token has to tell, and no code.
      oauth: [".", "type video"],
      platform: ["."],
      video: ["."],
    },
  },
  bot: {
    imports: [
      "type config",
      "log",
      "type desk",
      "http",
      "database",
      "budget",
      "video",
      "background",
      "images",
      "jobs",
      "language",
      "oauth",
      "store",
      "discord",
      "moderation",
      "feeds",
      "web",
      "commands",
    ],
  },
  commands: { imports: ["discord", "flows"] },
  flows: {
    imports: [
      "type database",
      "discord",
      "budget",
      "video",
      "background",
      "images",
      "language",
      "store",
      "oauth",
      "moderation",
      "feeds",
    ],
    packages: ["file-type"],
    hasDoors: true,
    folders: {
      activity: ["channels", "lists", "options"],
      announcements: ["channels"],
      audit: ["comments", "watching"],
      "background-removal": ["cutout", "expressions", "improvement", "options", "thumbnails"],
      branding: ["channels", "options"],
      budget: ["options"],
      captions: [],
      "channel-sections": ["channels", "options"],
      channels: ["lists", "options"],
      comments: ["channels", "options"],
      connections: ["options"],
      credits: [],
      cutout: [],
      erasure: [],
      expressions: ["cutout"],
      improvement: ["cutout", "options"],
      lists: [],
      members: ["channels", "lists"],
      options: [],
      playlists: ["channels", "lists", "options"],
      regions: [],
      rules: ["channels", "options", "watching"],
      search: ["channels", "lists", "options"],
      subscriptions: ["channels", "lists", "options"],
      thumbnails: ["branding", "cutout", "options"],
      uploads: ["branding", "options"],
      usage: [],
      videos: ["channels", "lists", "options", "uploads"],
      watching: ["comments"],
    },
  },
  discord: {
    imports: [
      "database",
      "log",
      "fair-queue",
      "desk",
      "http",
      "budget",
      "video",
      "background",
      "images",
      "language",
      "store",
      "oauth",
      "type moderation",
      "type feeds",
    ],
    packages: ["@discordjs/ws", "chrono-node", "csv-stringify", "discord.js", "parse-duration"],
    folders: {
      draw: [".", "type declare"],
      declare: [".", "draw", "suggestions"],
      suggestions: [".", "declare", "draw"],
      lists: ["declare", "draw"],
      access: [".", "declare", "draw"],
      wire: ["draw"],
      gateway: ["wire"],
      run: [".", "access", "declare", "draw", "wire"],
    },
  },
  web: {
    imports: ["oauth", "type store", "http", "log"],
    packages: ["@hono/node-server", "hono", "prom-client"],
  },
  moderation: {
    imports: ["type log", "desk", "video", "budget", "jobs", "store", "database", "fair-queue"],
    packages: ["re2js", "unhomoglyph"],
    folders: {
      records: [],
      rules: [".", "poll", "records"],
      decide: [".", "records", "trouble"],
      pace: [".", "records"],
      poll: [".", "pace", "records", "trouble"],
      announce: [".", "decide", "records", "trouble"],
      trouble: [".", "records"],
    },
  },
  feeds: {
    imports: ["type log", "desk", "type http", "video", "budget", "jobs", "store", "database"],
    packages: ["@rgrove/parse-xml"],
  },
  desk: { imports: [] },
  video: {
    imports: ["http", "budget"],
    folders: {
      methods: [],
      resources: [],
      check: [".", "methods"],
      failures: [".", "methods"],
      upload: [".", "methods", "failures", "check"],
      rules: [".", "methods", "resources", "check", "failures"],
    },
  },
  background: {
    imports: ["http", "budget", "fair-queue", "images"],
    folders: { pace: ["."], check: ["."] },
  },
  images: {
    imports: ["fair-queue"],
    packages: ["jszip", "sharp"],
    folders: {
      files: ["."],
      fit: [".", "files"],
      cutout: [".", "files"],
      draw: [".", "files", "fit", "cutout"],
      archive: ["files"],
      worker: [".", "files", "cutout"],
    },
  },
  oauth: {
    imports: ["http", "jobs", "type store", "database", "type log"],
    packages: ["oauth4webapi"],
  },
  budget: { imports: ["database"] },
  jobs: { imports: ["log", "database"] },
  store: { imports: ["database"], packages: ["keyv"] },
  database: { imports: [], packages: ["kysely", "pg"] },
  http: { imports: [], packages: ["undici"] },
  language: { imports: [], packages: ["intl-messageformat"] },
  config: { imports: ["type store"], packages: ["zod"] },
  log: { imports: [], packages: ["pino"] },
  "fair-queue": { imports: [] },
  cache: { imports: [], packages: ["lru-cache"] },
  clock: { imports: [] },
  errors: { imports: [] },
};

/** `type store` is an arrow for the types of `store`. */
export function arrowOf(written: string): { readonly to: string; readonly isForTypes: boolean } {
  const isForTypes = written.startsWith("type ");
  return { to: isForTypes ? written.slice("type ".length) : written, isForTypes };
}

/** Whether an arrow leads there: for types, where it is for types alone, only when just types are imported. */
export function isAllowed(
  arrows: readonly string[],
  { to, isTypeOnly }: { readonly to: string; readonly isTypeOnly: boolean },
): boolean {
  return arrows.map(arrowOf).some((arrow) => arrow.to === to && (isTypeOnly || !arrow.isForTypes));
}
