import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** Rooms a room may import. `bot` and `main` wire; what is not listed may import nothing. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  main: ["config", "errors", "log", "bot", "sandbox"],
  bot: [
    "config",
    "errors",
    "log",
    "clock",
    "desk",
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
  commands: ["discord", "flows", "store", "video", "oauth"],
  flows: [
    "database",
    "discord",
    "errors",
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
  discord: [
    "database",
    "errors",
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
    "moderation",
    "feeds",
  ],
  moderation: [
    "errors",
    "log",
    "clock",
    "desk",
    "video",
    "budget",
    "jobs",
    "store",
    "database",
    "fair-queue",
  ],
  feeds: ["errors", "log", "clock", "desk", "http", "video", "budget", "jobs", "store", "database"],
  clock: [],
  "fair-queue": [],
  desk: [],
  web: ["oauth", "store", "http", "log", "errors"],
  keys: ["config", "errors", "store"],
  doctor: ["config", "errors", "log", "http", "store", "database", "jobs"],
  parked: ["config", "errors", "database", "jobs"],
  video: ["http", "budget", "errors"],
  background: ["http", "budget", "errors", "fair-queue"],
  images: ["errors", "fair-queue"],
  budget: ["errors", "clock", "database"],
  jobs: ["errors", "log", "clock", "database"],
  store: ["errors", "database"],
  database: ["errors"],
  oauth: ["http", "jobs", "store", "database", "errors", "log"],
  language: [],
  http: ["errors"],
  config: ["errors", "store"],
  log: [],
  errors: [],
  sandbox: ["bot", "config", "errors", "log", "images", "store", "video"],
};

const typesOnly = new Set([
  "commands>store",
  "commands>video",
  "config>store",
  "bot>config",
  "bot>desk",
  "commands>oauth",
  "oauth>store",
  "web>store",
  "discord>moderation",
  "discord>feeds",
  "moderation>clock",
  "moderation>log",
  "feeds>clock",
  "feeds>log",
  "feeds>http",
  "flows>database",
  "oauth>log",
]);

/** Folders that a folder of a room may import beside itself; `.` are the room's own files, which may import all. */
const inner: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "src/discord": {
    draw: [".", "declare"],
    declare: [".", "draw", "suggestions"],
    suggestions: [".", "declare", "draw"],
    lists: ["declare", "draw"],
    access: [".", "declare", "draw"],
    wire: ["draw"],
    gateway: ["wire"],
    run: [".", "access", "declare", "draw", "wire"],
  },
  "src/video": {
    methods: [],
    resources: [],
    check: [".", "methods"],
    failures: [".", "methods"],
    upload: [".", "methods", "failures", "check"],
    rules: [".", "methods", "resources", "check", "failures"],
  },
  "src/background": {
    pace: ["."],
    check: ["."],
  },
  "src/images": {
    files: ["."],
    fit: [".", "files"],
    cutout: [".", "files"],
    draw: [".", "files", "fit", "cutout"],
    archive: ["files"],
    worker: [".", "files", "cutout"],
  },
  "src/moderation": {
    records: [],
    rules: [".", "poll", "records"],
    decide: [".", "records", "trouble"],
    pace: [".", "records"],
    poll: [".", "pace", "records", "trouble"],
    announce: [".", "decide", "records", "trouble"],
    trouble: [".", "records"],
  },
  "src/sandbox": {
    faults: [],
    hub: ["."],
    samples: ["."],
    background: ["."],
    oauth: [".", "video"],
    platform: ["."],
    video: ["."],
  },
};

/** The stand-in for consents takes from the one for videos what a token has to tell, and no code. */
const innerTypesOnly = new Set(["src/sandbox/oauth>video", "src/discord/draw>declare"]);

/** Outside packages by the one room that uses each; Node's own modules are free. */
const packages: Readonly<Record<string, string>> = {
  undici: "http",
  sharp: "images",
  keyv: "store",
  kysely: "database",
  pg: "database",
  oauth4webapi: "oauth",
  "prom-client": "web",
  re2js: "moderation",
  unhomoglyph: "moderation",
  "@rgrove/parse-xml": "feeds",
  "discord.js": "discord",
  "@discordjs/ws": "discord",
  "chrono-node": "discord",
  "parse-duration": "discord",
  "csv-stringify": "discord",
  "file-type": "flows",
  "image-size": "background",
  "intl-messageformat": "language",
  jszip: "images",
  pino: "log",
  zod: "config",
};

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

const statement =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^;'"]*?\sfrom\s+)?["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)/gu;

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => posix.join(folder, file.replaceAll("\\", "/")));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(statement)].map(([, type, fixed, dynamic]) => ({
    file,
    target: fixed ?? dynamic ?? "",
    typeOnly: type !== undefined,
  }));
}

function roomOf(file: string): string {
  const [top, room = ""] = file.split("/");
  return top === "commands" ? "commands" : room.replace(/\.ts$/u, "");
}

/** Its folder within a room; undefined when it lies elsewhere. */
function folderOf(room: string, file: string): string | undefined {
  if (!file.startsWith(`${room}/`)) return undefined;
  const [folder = "", ...rest] = file.slice(room.length + 1).split("/");
  return rest.length === 0 ? "." : folder;
}

function isOutside(target: string): boolean {
  return target !== "" && !target.startsWith(".") && !target.startsWith("node:");
}

/** `@scope/name/file` belongs to `@scope/name`. */
function packageOf(target: string): string {
  return target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
}

function resolved({ file, target }: Import): string {
  return relative(root, join(root, dirname(file), target)).replaceAll("\\", "/");
}

const imports = [...sources("src"), ...sources("commands")].flatMap(importsOf);
const inside = imports.filter(({ target }) => target.startsWith("."));
const crossing = inside.filter((one) => roomOf(one.file) !== roomOf(resolved(one)));

describe("the rooms", () => {
  it("are all listed here", () => {
    const rooms = new Set([...sources("src"), ...sources("commands")].map(roomOf));

    expect([...rooms].sort()).toEqual(Object.keys(arrows).sort());
  });

  it("import along the arrows only", () => {
    const astray = crossing.filter(
      (one) => !arrows[roomOf(one.file)]?.includes(roomOf(resolved(one))),
    );

    expect(astray).toEqual([]);
  });

  it("import only types where the arrow is for types", () => {
    const astray = crossing.filter(
      (one) => typesOnly.has(`${roomOf(one.file)}>${roomOf(resolved(one))}`) && !one.typeOnly,
    );

    expect(astray).toEqual([]);
  });

  it("meet only at their index", () => {
    const astray = crossing.filter(
      (one) => !/^src\/(?:[^/]+\.ts|[^/]+\/index\.ts)$/u.test(resolved(one)),
    );

    expect(astray).toEqual([]);
  });

  describe.each(Object.entries(inner))("within %s", (room, folders) => {
    const steps = inside.flatMap((one) => {
      const [from, to] = [folderOf(room, one.file), folderOf(room, resolved(one))];
      return from === undefined || to === undefined || from === to ? [] : [{ ...one, from, to }];
    });

    it("have their folders listed here", () => {
      const found = new Set(sources(room).map((file) => folderOf(room, file)));

      expect([...found].filter((folder) => folder !== ".").sort()).toEqual(
        Object.keys(folders).sort(),
      );
    });

    it("import along its own arrows only", () => {
      const astray = steps.filter(
        ({ from, to, typeOnly }) =>
          from !== "." &&
          !(
            folders[from]?.includes(to) &&
            (typeOnly || !innerTypesOnly.has(`${room}/${from}>${to}`))
          ),
      );

      expect(astray).toEqual([]);
    });
  });

  it("share no outside package", () => {
    const astray = imports.filter(({ file, target }) => {
      const owner = packages[target] ?? packages[packageOf(target)];
      return owner !== undefined && roomOf(file) !== owner;
    });

    expect(astray).toEqual([]);
  });

  it("find every package they use without the development packages, the sandbox apart", () => {
    const text = readFileSync(join(root, "package.json"), "utf8");
    const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
    const used = imports.filter(
      ({ file, target }) => roomOf(file) !== "sandbox" && isOutside(target),
    );

    expect(used.filter(({ target }) => !Object.hasOwn(dependencies, packageOf(target)))).toEqual(
      [],
    );
  });

  it("leave the environment to what is started, but for what a child process is handed", () => {
    const readers = [...sources("src"), ...sources("commands")].filter((file) =>
      readFileSync(join(root, file), "utf8").includes("process.env"),
    );

    expect(readers.sort()).toEqual([
      "src/doctor.ts",
      "src/images/worker/child.ts",
      "src/keys.ts",
      "src/main.ts",
      "src/parked.ts",
      "src/sandbox/background/serve.ts",
    ]);
  });
});
