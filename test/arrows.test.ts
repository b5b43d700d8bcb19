import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { biomeRooms, biomeRoomsFile } from "./support/biome-rooms.ts";
import { arrowOf, freeRooms, isAllowed, type Room, rooms } from "./support/rooms.ts";

const root = join(import.meta.dirname, "..");

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

/** The file's folder within the room; undefined when the file lies in another room. */
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
const inner = Object.entries(rooms).flatMap(([name, room]): [string, Folders, Room][] =>
  room.folders === undefined ? [] : [[name, room.folders, room]],
);

type Folders = NonNullable<Room["folders"]>;

/** Drops, again and again, all that has no arrow to another: what is left forms a circle or leads into one. */
function circleIn(arrows: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const left = new Set(arrows.keys());
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const one of left) {
      if (!arrows.get(one)?.some((to) => to !== one && left.has(to))) left.delete(one);
    }
  }
  return [...left];
}

describe("the rooms", () => {
  it("are all listed in the table", () => {
    const found = new Set([...sources("src"), ...sources("commands")].map(roomOf));

    expect([...found].sort()).toEqual(Object.keys(rooms).sort());
  });

  it("are the same in Biome's rules, which `npm run rooms` writes", () => {
    expect(readFileSync(biomeRoomsFile, "utf8")).toBe(biomeRooms());
  });

  it("import along the arrows only", () => {
    const astray = crossing.filter((one) => {
      const arrows = [...freeRooms, ...(rooms[roomOf(one.file)]?.imports ?? [])];
      return !isAllowed(arrows, { to: roomOf(resolved(one)), isTypeOnly: one.typeOnly });
    });

    expect(astray).toEqual([]);
  });

  it("meet only at their index", () => {
    const astray = crossing.filter(
      (one) => !/^src\/(?:[^/]+\.ts|[^/]+\/index\.ts)$/u.test(resolved(one)),
    );

    expect(astray).toEqual([]);
  });

  it("have no file that imports itself through others, not even for types", () => {
    const arrows = new Map<string, string[]>();
    for (const one of inside) {
      arrows.set(one.file, [...(arrows.get(one.file) ?? []), resolved(one)]);
    }

    expect(circleIn(arrows)).toEqual([]);
  });

  describe.each(inner)("within src/%s", (name, folders) => {
    const room = `src/${name}`;
    const steps = inside.flatMap((one) => {
      const [from, to] = [folderOf(room, one.file), folderOf(room, resolved(one))];
      return from === undefined || to === undefined || from === to ? [] : [{ ...one, from, to }];
    });

    it("have their folders listed in the table", () => {
      const found = new Set(sources(room).map((file) => folderOf(room, file)));

      expect([...found].filter((folder) => folder !== ".").sort()).toEqual(
        Object.keys(folders).sort(),
      );
    });

    it("import along its own arrows only", () => {
      const astray = steps.filter(
        ({ from, to, typeOnly }) =>
          from !== "." && !isAllowed(folders[from] ?? [], { to, isTypeOnly: typeOnly }),
      );

      expect(astray).toEqual([]);
    });
  });

  describe.each(inner.filter(([, , room]) => room.hasDoors))(
    "the folders of src/%s",
    (name, folders) => {
      it("meet only at the index of each", () => {
        const room = `src/${name}`;
        const astray = inside.filter((one) => {
          const [from, to = "."] = [folderOf(room, one.file), folderOf(room, resolved(one))];
          if (from === undefined || to === "." || from === to) return false;
          return resolved(one) !== posix.join(room, to, "index.ts");
        });

        expect(astray).toEqual([]);
      });

      it("go in no circle", () => {
        const arrows = Object.entries(folders).map(
          ([from, to]) => [from, to.map((one) => arrowOf(one).to)] as const,
        );

        expect(circleIn(new Map(arrows))).toEqual([]);
      });
    },
  );

  it("share no outside package", () => {
    const owned = new Set(Object.values(rooms).flatMap(({ packages = [] }) => packages));
    const astray = imports.filter(
      ({ file, target }) =>
        owned.has(packageOf(target)) && !rooms[roomOf(file)]?.packages?.includes(packageOf(target)),
    );

    expect(astray).toEqual([]);
  });

  it("import only types from discord.js, because loading its client takes 0.2 s of each start", () => {
    const loading = imports.filter(({ target, typeOnly }) => target === "discord.js" && !typeOnly);

    expect(loading).toEqual([]);
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
      "src/cli/doctor.ts",
      "src/cli/jobs.ts",
      "src/cli/keys.ts",
      "src/images/worker/child.ts",
      "src/main.ts",
      "src/sandbox/background/serve.ts",
    ]);
  });
});
