/** A room is a folder of `src` or a file directly in it; `commands` is one too. */
export interface Room {
  /** Other rooms, which are imported through their index.ts. With `type` before the name, only their types. */
  readonly imports: readonly string[];
  /** npm packages that only this room, and others that list them, may import. Every room may import zod. */
  readonly packages?: readonly string[];
  /** Folders in the room, with the siblings that each may import. `.` is the room's own files, which may import all. */
  readonly folders?: Readonly<Record<string, readonly string[]>>;
  /** The room's folders import each other only through their index.ts, as rooms do, and without cycles. */
  readonly hasDoors?: true;
}

/** Rooms that every room may import. */
export const freeRooms: readonly string[] = [
  "errors",
  "clock",
  "cache",
  "once",
  "ownership",
  "service-words",
  "untrusted-json",
];

/** What every feature may import. */
const featureBase: readonly string[] = [
  "batches",
  "cards",
  "context",
  "declarations",
  "extra",
  "lists",
  "options",
  "suggestions",
];

/**
 * All rooms, from the commands down to what everything uses; `main` and `bot` connect them. After a change here, `npm
 * run rooms` writes Biome's rules again. `test/arrows.test.ts` checks every import against this table.
 */
export const rooms: Readonly<Record<string, Room>> = {
  main: { imports: ["cli", "config", "log", "bot", "sandbox"] },
  cli: {
    imports: ["config", "log", "http", "store", "database", "jobs", "web"],
    folders: { diagnosis: [] },
  },
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
    hasDoors: true,
    folders: {
      hub: ["."],
      background: ["."],
      // The stand-in for Google's consent pages imports only a token's type from YouTube's stand-in, no code.
      oauth: [".", "type video"],
      lists: ["."],
      platform: ["."],
      video: ["."],
    },
  },
  bot: {
    imports: [
      "type config",
      "log",
      "type channel-messages",
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
      "announcements",
      "features",
      "web",
      "commands",
    ],
  },
  commands: { imports: ["discord", "features"] },
  features: {
    imports: [
      "database",
      "discord",
      "budget",
      "video",
      "video-links",
      "background",
      "images",
      "language",
      "store",
      "oauth",
      "moderation",
      "announcements",
    ],
    packages: ["chardet", "csv-stringify", "file-type"],
    hasDoors: true,
    folders: {
      // All other features build on these.
      batches: [],
      extra: [],
      context: ["extra"],
      cards: ["context"],
      suggestions: ["cards", "context"],
      declarations: ["context", "extra", "suggestions"],
      lists: ["context", "declarations", "extra"],
      // One for each kind of thing that people do.
      activity: [...featureBase, "channels", "time-zone"],
      announcements: [...featureBase, "channels"],
      audit: [...featureBase, "comments", "time-zone", "watches"],
      "background-removal": [...featureBase, "cutout", "expressions", "improvement", "thumbnails"],
      branding: [...featureBase, "channels"],
      budget: featureBase,
      captions: featureBase,
      "channel-sections": [...featureBase, "channels"],
      channels: featureBase,
      comments: [...featureBase, "channels"],
      connections: [...featureBase, "credits", "private-places", "time-zone", "usage", "watches"],
      credits: [...featureBase, "usage"],
      cutout: featureBase,
      erasure: [...featureBase, "channels"],
      expressions: [...featureBase, "cutout"],
      "getting-started": [...featureBase, "comments"],
      improvement: [...featureBase, "cutout"],
      members: [...featureBase, "channels"],
      options: [],
      playlists: [...featureBase, "channels"],
      "private-places": featureBase,
      regions: featureBase,
      review: [...featureBase, "comments", "watches"],
      rules: [...featureBase, "channels", "comments", "private-places", "watches"],
      search: [...featureBase, "channels", "time-zone"],
      subscriptions: [...featureBase, "channels"],
      thumbnails: [...featureBase, "branding", "cutout"],
      "time-zone": featureBase,
      uploads: [...featureBase, "branding", "captions", "time-zone"],
      usage: featureBase,
      videos: [...featureBase, "channels", "time-zone", "uploads"],
      watches: [...featureBase, "channels", "comments", "private-places"],
      "weekly-summary": [...featureBase, "private-places", "rules", "usage"],
    },
  },
  discord: {
    imports: [
      "log",
      "fair-queue",
      "channel-messages",
      "type scheduled-events",
      "type http",
      "language",
      "store",
    ],
    packages: ["@discordjs/rest", "@discordjs/ws", "discord-api-types", "discord.js"],
    folders: {
      draw: [".", "type declare"],
      declare: [".", "draw"],
      access: [".", "type declare"],
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
    imports: [
      "type log",
      "channel-messages",
      "video",
      "video-links",
      "type http",
      "budget",
      "jobs",
      "store",
      "database",
      "fair-queue",
    ],
    packages: ["confusables", "re2js", "unhomoglyph"],
    folders: {
      records: [],
      rules: [".", "records"],
      lists: [".", "decide", "records", "rules"],
      decide: [".", "failures", "pace", "records"],
      pace: [".", "records"],
      poll: [".", "failures", "records", "rules"],
      announce: [".", "decide", "failures", "records", "rules"],
      failures: [".", "records"],
      summary: [".", "records", "rules"],
    },
  },
  announcements: {
    imports: [
      "type log",
      "channel-messages",
      "type scheduled-events",
      "type http",
      "video",
      "budget",
      "jobs",
      "store",
      "database",
    ],
    packages: ["@rgrove/parse-xml"],
  },
  "channel-messages": { imports: [] },
  "scheduled-events": { imports: [] },
  video: {
    imports: ["http", "budget", "images"],
    folders: {
      methods: [],
      resources: [],
      check: [".", "methods"],
      failures: [".", "methods"],
      upload: [".", "methods", "failures", "check"],
      rules: [".", "methods", "resources", "check", "failures"],
    },
  },
  "video-links": { imports: [] },
  background: {
    imports: ["http", "budget", "fair-queue", "images"],
    folders: { pace: ["."] },
  },
  images: {
    imports: ["fair-queue"],
    packages: ["jszip", "sharp"],
    folders: {
      files: ["."],
      fit: [".", "files"],
      cutout: [".", "files"],
      draw: [".", "files", "fit", "cutout"],
      archive: [".", "files"],
      worker: [".", "files", "cutout"],
    },
  },
  oauth: {
    imports: ["type channel-messages", "http", "jobs", "type store", "database", "type log"],
    packages: ["oauth4webapi"],
  },
  budget: { imports: ["database"] },
  jobs: { imports: ["log", "database"] },
  store: { imports: ["database"], packages: ["keyv"] },
  database: { imports: [], packages: ["kysely", "pg"] },
  http: { imports: [], packages: ["undici"] },
  language: { imports: [], packages: ["intl-messageformat"] },
  config: { imports: ["type store"] },
  log: { imports: ["key-shape"], packages: ["pino"] },
  "fair-queue": { imports: [] },
  "service-words": { imports: ["key-shape"] },
  "key-shape": { imports: [] },
  "untrusted-json": { imports: [] },
  cache: { imports: [], packages: ["lru-cache"] },
  clock: { imports: [] },
  once: { imports: [] },
  ownership: { imports: [] },
  errors: { imports: ["type failure-facts"] },
  "failure-facts": { imports: [] },
};

/** `type store` is an arrow to the types of `store`. */
export function arrowOf(written: string): { readonly to: string; readonly isForTypes: boolean } {
  const isForTypes = written.startsWith("type ");
  return { to: isForTypes ? written.slice("type ".length) : written, isForTypes };
}

/** Whether an arrow allows an import of that room. An arrow for types allows only imports of types. */
export function isAllowed(
  arrows: readonly string[],
  { to, isTypeOnly }: { readonly to: string; readonly isTypeOnly: boolean },
): boolean {
  return arrows.map(arrowOf).some((arrow) => arrow.to === to && (isTypeOnly || !arrow.isForTypes));
}
