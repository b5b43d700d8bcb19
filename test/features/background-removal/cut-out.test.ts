import { randomBytes } from "node:crypto";
import JsZip from "jszip";
import { beforeEach, describe, expect, it } from "vitest";
import type { QueuePlace, Removal, RemoveOptions } from "../../../src/background/index.ts";
import { formatted } from "../../../src/discord/draw/text.ts";
import type { FilesReply, Notice, Reply, ReplyFile } from "../../../src/discord/index.ts";
import {
  type BotError,
  InputError,
  LimitError,
  NetworkError,
  ServiceError,
} from "../../../src/errors.ts";
import type {
  CutoutResult,
  RepeatedCutout,
} from "../../../src/features/background-removal/buttons.ts";
import { cutOut } from "../../../src/features/background-removal/cut-out.ts";
import type { CutoutOptions } from "../../../src/features/background-removal/cutout-options.ts";
import { drawLook } from "../../../src/features/background-removal/look.ts";
import type { PictureSource } from "../../../src/features/background-removal/picture-source.ts";
import type { Ctx } from "../../../src/features/context/index.ts";
import { createPaidResults } from "../../../src/features/context/paid-results.ts";
import {
  type ComposedCutout,
  type ComposeOptions,
  type ServiceReadyPicture,
  zipFiles,
} from "../../../src/images/index.ts";
import type { StoredFiles } from "../../../src/store/index.ts";
import { words } from "../../support/words.ts";

const size = { width: 40, height: 30 };

const removal: Removal = {
  image: Buffer.from("zip"),
  format: "zip",
  foreground: undefined,
  type: "car",
  creditsCharged: 0.25,
  rateLimit: undefined,
  notices: [],
  ...size,
};

/** How the fake remove.bg and the fake picture functions behave; by default everything succeeds at once. */
interface Fakes {
  /** The contents of files by name; a file that is not listed contains its own name. */
  files: Record<string, string>;
  remove(picture: string, options: RemoveOptions): Promise<Removal>;
  compose(options: ComposeOptions): Partial<ComposedCutout> | Promise<Partial<ComposedCutout>>;
  inspect?(): void;
  prepared: Partial<ServiceReadyPicture>;
  attachmentLimit: number;
}

let fakes: Fakes;
let abort: AbortController;
let sent: string[];
let composing: ComposeOptions[];
let shown: string[];
let keptBytes: Map<string, Uint8Array>;
/** What other processes find; undefined means that there is only one process. */
let paidFiles: StoredFiles | undefined;
const log = { debug: () => undefined, warn: () => undefined } as unknown as Ctx["log"];
beforeEach(() => {
  abort = new AbortController();
  sent = [];
  composing = [];
  shown = [];
  keptBytes = new Map();
  paidFiles = undefined;
  fakes = {
    files: {},
    remove: async () => ({ ...removal }),
    compose: () => ({}),
    prepared: {},
    attachmentLimit: 10_000_000,
  };
});

function ctx(): Ctx<unknown> {
  const parts: Partial<Ctx<unknown>> = {
    guildId: "1",
    userId: "2",
    rank: "owner",
    words: words(),
    signal: abort.signal,
    reference: "ABC123",
    attachments: [],
    attachmentLimit: fakes.attachmentLimit,
    pictureLimits: { maxBytes: 12e6, maxPixels: 50e6 },
    afford: async () => undefined,
    now: () => 0,
    has: () => true,
    keep: async (bytes) => {
      keptBytes.set(`${keptBytes.size}`, bytes);
      return `${keptBytes.size - 1}`;
    },
    kept: async (handle) => keptBytes.get(handle),
    paid: createPaidResults({ guildId: "1", interactionId: "4", files: paidFiles, log }),
    progress: ({ title, text, done }) =>
      shown.push(`${title} ${done ?? ""} ${formatted(text ?? "")}`),
    apart: (_, work) => work(ctx() as Ctx),
    fetchAttachment: async ({ filename }) => Buffer.from(fakes.files[filename] ?? filename),
    // Only what this feature calls.
    background: {
      removeBackground: async ({ image, imageUrl }, options = {}) => {
        const picture = imageUrl ?? Buffer.from(image ?? []).toString();
        sent.push(picture);
        return fakes.remove(picture, options);
      },
    } as Ctx["background"],
    images: {
      prepare: async (bytes) => ({
        bytes: Buffer.from(bytes),
        format: "jpeg",
        ...size,
        original: { format: "jpeg", ...size, frames: 1 },
        digest: Buffer.from(bytes).toString("hex"),
        fitted: "unchanged",
        isCutOut: false,
        ...fakes.prepared,
      }),
      inspect: async () => {
        fakes.inspect?.();
        return { format: "jpeg", ...size, frames: 1 };
      },
      prove: async () => undefined,
      compose: async (_, options) => {
        composing.push(options);
        const fitted = { bytes: Buffer.alloc(1000), format: "png", ...size, fitted: "asked" };
        return { ...fitted, ...(await fakes.compose(options)) } as ComposedCutout;
      },
      sheet: async () => Buffer.from("sheet"),
    } as Partial<Ctx["images"]> as Ctx["images"],
    log,
  };
  return parts as Ctx<unknown>;
}

const pictures = (...names: readonly string[]): readonly PictureSource[] =>
  names.map((filename, at) => ({
    attachment: { id: `${at}`, filename, size: 9, url: `https://cdn.discordapp.com/${at}` },
  }));

const go = (names: readonly string[], wishes: CutoutOptions = {}) =>
  cutOut(ctx(), { all: pictures(...names), order: { wishes } });

function read(reply: Reply) {
  if (reply.kind !== "files" && reply.kind !== "notice") throw new TypeError(reply.kind);
  const { title, footer, buttons = [] } = reply;
  const files = reply.kind === "files" ? reply.files : [];
  return {
    title,
    footer,
    text: formatted(reply.text ?? ""),
    files: files.map(({ name }) => name),
    labels: buttons.map(({ label }) => label),
    preview: (reply as FilesReply).preview?.name,
    isPrivate: (reply as Notice).isPrivate,
    reply,
  };
}

/** A call that does not end until it is cancelled. */
const hanging = (options: RemoveOptions) =>
  new Promise<never>((_, reject) => {
    options.signal?.addEventListener("abort", () => reject(options.signal?.reason));
  });

const lost = new NetworkError("lost", { code: "result_lost", outcome: "unknown" });
const down = new NetworkError("down", { code: "unreachable" });
const cancelled = new InputError("cancelled", { code: "cancelled" });

const pngTooLarge = new InputError("x", {
  code: "png_too_large",
  facts: { maxPixels: 1e7, width: 5_000, height: 5_000 },
});

/** Files in a database that outlives the process. */
function storedFiles(): StoredFiles {
  const files = new Map<string, Buffer>();
  return {
    put: async (_, handle, bytes) =>
      void files.set(handle, files.get(handle) ?? Buffer.from(bytes)),
    get: async (_, handle) => files.get(handle),
    remove: async (_, handle) => void files.delete(handle),
  };
}

/** What a button of a reply would start. */
function pressed(reply: Reply, label: string) {
  const { buttons = [] } = reply as FilesReply;
  const { press } = buttons.find((button) => button.label === label) as unknown as {
    readonly press: { readonly action: string; readonly state: unknown };
  };
  return press;
}

const unzip = (data: Uint8Array) => JsZip.loadAsync(data, { checkCRC32: true });

/** The pieces of all parts, joined by their names. */
async function join(files: FilesReply["files"]): Promise<Buffer> {
  const zips = await Promise.all(files.map((file) => unzip((file as ReplyFile).data)));
  const pieces = zips.flatMap((zip) => Object.values(zip.files)).sort(byName);
  return Buffer.concat(await Promise.all(pieces.map((piece) => piece.async("nodebuffer"))));
}

const byName = (a: { readonly name: string }, b: { readonly name: string }) =>
  a.name < b.name ? -1 : 1;

describe("a result that is too large to send", () => {
  const limit = 100_000;
  const picture = randomBytes(2.5 * limit);
  beforeEach(() => {
    fakes.attachmentLimit = limit;
    // What is composed to fit is a WebP; all of it is 250 kB.
    fakes.compose = ({ maxBytes, givesUp }) => {
      if (maxBytes === undefined) return { bytes: picture };
      return givesUp === "pixels" ? { fitted: "smaller" } : { format: "webp", fitted: "webp" };
    };
  });

  it("is asked about before it is paid for, with what it costs", async () => {
    fakes.files = { "a.jpg": "x".repeat(limit) };
    fakes.prepared = { width: 3000, height: 2000 };

    const reply = await go(["a.jpg"], { format: "png" });

    expect(sent).toEqual([]);
    expect(read(reply)).toMatchObject({
      title: "The result would be too large to send here",
      labels: [
        "Fewer pixels (up to 1 credit)",
        "As WebP (up to 1 credit)",
        "In ZIP parts (up to 1 credit)",
      ],
      isPrivate: true,
    });
    expect(read(reply).text).toContain("about 0.3 MB; files here can be at most 0.1 MB");
    expect(reply).toMatchObject({ tone: "warning" });
  });

  it.each([
    ["Fewer pixels (up to 1 credit)", ["a-cutout.png"]],
    ["As WebP (up to 1 credit)", ["a-cutout.webp"]],
    ["In ZIP parts (up to 1 credit)", ["a-cutout-1.zip", "a-cutout-2.zip", "a-cutout-3.zip"]],
  ])("is paid for once when somebody chooses “%s”", async (label, names) => {
    fakes.files = { "a.jpg": "x".repeat(limit) };
    fakes.prepared = { width: 3000, height: 2000 };
    const asked = await go(["a.jpg"], { format: "png" });

    const reply = await cutOut(ctx(), pressed(asked, label).state as RepeatedCutout);

    expect(sent).toHaveLength(1);
    expect(read(reply).files).toEqual(names);
    expect(read(reply).footer).toContain("0.25 credits");
  });

  it("offers to send in parts the only one of several results that is too large", async () => {
    fakes.files = { "a.jpg": "x".repeat(limit), "b.jpg": "small" };
    fakes.prepared = { width: 3000, height: 2000 };
    const asked = await go(["a.jpg", "b.jpg"], { format: "png" });

    const press = pressed(asked, "In ZIP parts (up to 1 credit)");
    const reply = await cutOut(ctx(), press.state as RepeatedCutout);

    expect(read(reply).files[0]).toBe("a-cutout-1.zip");
  });

  it("is offered in other forms after it was paid for, which cost nothing more", async () => {
    const reply = await go(["a.jpg"], { format: "png" });
    const { labels, files } = read(reply);

    expect(files).toEqual(["a-cutout.webp"]);
    expect(labels).toEqual(expect.arrayContaining(["Fewer pixels", "In ZIP parts"]));
    const smaller = await drawLook(ctx(), pressed(reply, "Fewer pixels").state as CutoutResult);
    const parts = await drawLook(ctx(), pressed(reply, "In ZIP parts").state as CutoutResult);
    expect(sent).toHaveLength(1);
    expect(read(smaller)).toMatchObject({
      files: ["a-cutout.png"],
      footer: expect.stringContaining("No charge") as string,
    });
    expect(await join(parts.files)).toEqual(picture);
    expect(parts.files.every((file) => (file as ReplyFile).data.byteLength <= limit)).toBe(true);
    expect(read(parts).text).toContain("comes in 3 ZIP parts");
    expect(read(parts).text).toContain("**a-cutout.png.001**");
  });

  it.each([
    [{ width: 4400, height: 2930 }, false],
    [{ width: 3400, height: 2900 }, true],
  ])(
    "is offered in ZIP parts only if a PNG has room for its pixels: %j",
    async (size, isOffered) => {
      fakes.remove = async () => ({ ...removal, ...size });
      fakes.compose = () => ({ width: 2850, height: 1898, fitted: "smaller" });

      const { labels } = read(await go(["a.jpg"], { format: "png", oversize: "smaller" }));

      expect(labels).toContain("As WebP");
      expect(labels.includes("In ZIP parts")).toBe(isOffered);
    },
  );

  it("comes in several messages if one has no room for all parts", async () => {
    const large = randomBytes(110_000);
    fakes.attachmentLimit = 12_000;
    fakes.compose = ({ maxBytes }) =>
      maxBytes === undefined ? { bytes: large } : { fitted: "webp" };
    const reply = await go(["a.jpg"], { format: "png" });

    const first = await drawLook(ctx(), pressed(reply, "In ZIP parts").state as CutoutResult);
    const more = pressed(first, "More parts (from 11 of 11)");
    const second = await drawLook(ctx(), more.state as CutoutResult);

    expect(more.action).toBe("background.look");
    expect(read(first).files).toHaveLength(10);
    expect(read(second).files).toEqual(["a-cutout-11.zip"]);
    expect((await join([...first.files, ...second.files])).equals(large)).toBe(true);
  });

  it("is offered as layers if it is remove.bg’s own ZIP", async () => {
    const layers = { "color.jpg": randomBytes(90_000), "alpha.png": randomBytes(60_000) };
    const image = await zipFiles(Object.entries(layers).map(([name, data]) => ({ name, data })));
    fakes.remove = async () => ({ ...removal, image });

    const reply = await go(["a.jpg"], { format: "zip" });
    const parts = await drawLook(ctx(), pressed(reply, "In ZIP parts").state as CutoutResult);

    const zips = await Promise.all(parts.files.map((file) => unzip((file as ReplyFile).data)));
    expect(zips.map((zip) => Object.keys(zip.files))).toEqual([["color.jpg"], ["alpha.png"]]);
    expect(read(parts).text).not.toContain("7-Zip");
  });
});

describe("a cut-out that is carried out again by another process", () => {
  beforeEach(() => {
    paidFiles = storedFiles();
    fakes.remove = async (_, { onSend }) => {
      await onSend?.();
      return { ...removal };
    };
  });

  it("costs no second credit for what was paid for", async () => {
    await go(["a.jpg"]);
    const again = await go(["a.jpg"]);

    expect(sent).toEqual(["a.jpg"]);
    expect(again).toMatchObject({ kind: "files" });
  });

  it("sends what was not sent, and what was refused without a charge", async () => {
    const { remove } = fakes;
    fakes.remove = async (name, options) => {
      await options.onSend?.();
      throw new InputError(`no foreground in ${name}`, { code: "unknown_foreground" });
    };
    await go(["a.jpg"]).catch(() => undefined);
    fakes.remove = remove;
    await go(["a.jpg", "b.jpg"]);

    expect(sent).toEqual(["a.jpg", "a.jpg", "b.jpg"]);
  });

  it("asks before it sends again what was sent without a result", async () => {
    const { remove } = fakes;
    fakes.remove = async (_, { onSend }) => {
      await onSend?.();
      abort.abort(new Error("the process died"));
      throw new NetworkError("cut", { code: "cut", outcome: "unknown" });
    };
    await go(["a.jpg"]).catch(() => undefined);
    abort = new AbortController();
    fakes.remove = remove;
    const again = await go(["a.jpg"]);

    expect(sent).toEqual(["a.jpg"]);
    expect(JSON.stringify(again)).toContain("a.jpg");
  });

  it("pays again for other options", async () => {
    await go(["a.jpg"]);
    await go(["a.jpg"], { size: "full" });

    expect(sent).toEqual(["a.jpg", "a.jpg"]);
  });
});

describe("cutOut with one picture", () => {
  it("shows the file, a preview of before and after, and the cost", async () => {
    const reply = read(await go(["cat.jpg"]));

    expect(reply).toMatchObject({
      title: "Background removed",
      footer: "0.25 credits · 40×30 · PNG · 1,000 bytes",
      text: "Picture: Car",
      files: ["cat-cutout.png"],
      preview: "before-after.webp",
    });
    expect(reply.labels.slice(0, 3)).toEqual(["Background…", "Crop", "White"]);
  });

  it("says nothing about credits if the service did not, because absent is not zero", async () => {
    fakes.remove = async () => ({ ...removal, creditsCharged: undefined });

    expect(read(await go(["cat.jpg"])).footer).toBe("40×30 · PNG · 1,000 bytes");
  });

  const box = { top: 30, left: 12, width: 480, height: 640 };

  it.each([
    [{ type: "other", foreground: box }, "Picture: Other subject\nForeground: 480 × 640 at 12, 30"],
    [{ type: "transportation" }, "Picture: Vehicle"],
    [{ type: "spa*ce*ship" }, "Picture: spa\\*ce\\*ship"],
    [{ type: undefined, foreground: box }, "Foreground: 480 × 640 at 12, 30"],
    [{ type: undefined }, ""],
  ])("says what the service took the subject for, and where it is: %j", async (answered, said) => {
    fakes.remove = async () => ({ ...removal, width: 800, height: 800, ...answered });
    fakes.compose = () => ({ width: 800, height: 800 });

    expect(read(await go(["cat.jpg"])).text).toBe(said);
  });

  it("says where the subject is in a result that was made smaller", async () => {
    fakes.remove = async () => ({ ...removal, width: 800, height: 800, foreground: box });
    fakes.compose = () => ({ width: 400, height: 400, fitted: "smaller" });

    expect(read(await go(["cat.jpg"])).text).toContain("Foreground: 240 × 320 at 6, 15");
  });

  it.each([
    ["webp", "The result is a WebP, because a PNG would be too large"],
    ["quality", "lower quality"],
    ["smaller", "made smaller"],
  ] as const)("says so when the result had to be changed to fit (%s)", async (fitted, said) => {
    fakes.compose = () => ({ fitted });

    expect(read(await go(["cat.jpg"])).text).toContain(said);
  });

  it.each([
    [
      { fitted: "converted", original: { format: "tiff", ...size, frames: 3 } },
      /^Only the first of 3 .*The TIFF/su,
    ],
    [{ fitted: "recompressed" }, /compressed/u],
    [{ fitted: "resized" }, /made smaller to be accepted: 40 × 30/u],
    [{ fitted: "reduced" }, /made smaller, because transparent pictures .*: 40 × 30/u],
    [{ fitted: "rewritten" }, /The JPEG was saved in a more common form/u],
    [{ fitted: "turned" }, /^Picture: Car$/u],
  ] as const)("says what was done to the picture before: %j", async (prepared, said) => {
    fakes.prepared = prepared;

    expect(read(await go(["a.tiff"])).text).toMatch(said);
  });

  it.each([
    ["ünï¢ode — ★.JPEG", {}, "ünï-ode-cutout.png"],
    ["../../etc/passwd", {}, "etc-passwd-cutout.png"],
    ["★.png", {}, "picture-cutout.png"],
    ["cat.jpg", { name: "my cat.jpg" }, "my-cat.png"],
    ["cat.jpg", { maskOnly: true }, "cat-mask.png"],
  ] as const)("names what came of %s with %j", async (name, wishes, result) => {
    if ("maskOnly" in wishes) fakes.remove = async () => ({ ...removal, format: "png" });

    expect(read(await go([name], wishes)).files).toEqual([result]);
  });

  it("offers full size if the result has fewer pixels than the picture", async () => {
    fakes.prepared = { width: 4000, height: 3000 };

    expect(read(await go(["cat.jpg"], { size: "preview" })).labels[0]).toBe("Full size");
    expect(read(await go(["cat.jpg"], { size: "auto" })).labels[0]).not.toBe("Full size");
  });

  it("keeps the cut-out in memory if the result has no transparency", async () => {
    fakes.compose = () => ({ format: "jpg" });

    await go(["cat.jpg"], { ground: { kind: "color", color: "#ff0000" } });

    expect([...keptBytes.values()]).toEqual([removal.image]);
  });

  it("sends the result even if no preview can be drawn", async () => {
    const broken = ctx();
    const images = { ...broken.images, sheet: () => Promise.reject(new Error("no sheet")) };

    const reply = await cutOut(
      { ...broken, images },
      { all: pictures("cat.jpg"), order: { wishes: {} } },
    );

    expect(read(reply)).toMatchObject({ files: ["cat-cutout.png"], preview: undefined });
  });

  it("shows the place in the queue and the expected wait", async () => {
    const places: QueuePlace[] = [{ ahead: 4, waitMs: 12_300 }];
    fakes.remove = async (_, { onQueued }) => {
      for (const place of places) onQueued?.(place);
      return { ...removal };
    };

    await go(["cat.jpg"]);

    expect(shown.join("\n")).toContain("Waiting\\: 4 pictures before it, about 13 seconds");
  });

  it("throws a failure that will come again, and offers another try after one that may not", async () => {
    fakes.remove = () => Promise.reject(new InputError("x", { code: "unknown_foreground" }));
    await expect(go(["cat.jpg"])).rejects.toMatchObject({ code: "unknown_foreground" });

    fakes.remove = () => Promise.reject(down);
    expect(read(await go(["cat.jpg"]))).toMatchObject({
      labels: ["Try again"],
      isPrivate: true,
      footer: "Reference ABC123",
    });
  });

  it("never repeats a call that may have been charged, and says what another try may cost", async () => {
    fakes.remove = () => Promise.reject(lost);

    const reply = read(await go(["cat.jpg"], { size: "preview" }));

    expect(sent).toHaveLength(1);
    expect(reply.labels).toEqual(["Try again (up to 0.25 more credits)"]);
    expect(reply.text).toContain("It may or may not have been done");
  });

  it("composes a second time if the worker died, without paying again", async () => {
    let times = 0;
    fakes.compose = () => {
      times += 1;
      if (times > 1) return {};
      throw new InputError("died", { code: "picture_worker" });
    };

    expect(read(await go(["cat.jpg"])).files).toEqual(["cat-cutout.png"]);
    expect(sent).toHaveLength(1);
  });

  it("says what was charged if the result can't be composed", async () => {
    fakes.compose = () => {
      throw new ServiceError("broken", { code: "cutout_damaged" });
    };

    const reply = read(await go(["cat.jpg"]));

    expect(reply.text).toContain("0.25 credits had already been charged");
    expect(reply.labels).toEqual(["Try again (up to 1 more credit)"]);
  });

  it.each(["picture_truncated", "picture_unreadable", "picture_type", "picture_empty"])(
    "blames remove.bg for a result that can't be read (%s)",
    async (code) => {
      fakes.compose = () => {
        throw new InputError("broken", { code, facts: { found: "png", bytes: 9 } });
      };

      const reply = read(await go(["cat.jpg"]));

      expect(reply.title).toContain("The result arrived damaged");
      expect(reply.text).toContain("0.25 credits had already been charged");
      expect(reply.labels).toEqual(["Try again (up to 1 more credit)"]);
    },
  );

  it.each([
    ["what was asked", new InputError("x", { code: "picture_no_background" })],
    [
      "the memory there is",
      new ServiceError("x", { code: "picture_worker", facts: { end: "memory" } }),
    ],
  ])("never offers to pay again for what fails by %s", async (_, error) => {
    fakes.compose = () => {
      throw error;
    };

    const failure = go(["cat.jpg"]);

    await expect(failure).rejects.toMatchObject({ code: error.code, facts: { charged: 0.25 } });
  });

  it.each([
    ["webp", "quality", "saved at a lower quality"],
    ["webp", "asked", "is a WebP, because a PNG"],
  ] as const)(
    "makes a WebP of what is too large for a PNG (%s, %s)",
    async (format, fitted, said) => {
      fakes.compose = (options) => {
        if (options.format === "png") throw pngTooLarge;
        return { format, fitted };
      };

      const reply = read(await go(["cat.jpg"], { format: "png", crop: true }));

      expect(reply.files).toEqual(["cat-cutout.webp"]);
      expect(reply.text).toContain(said);
      expect(sent).toHaveLength(1);
    },
  );

  it("makes a WebP from a large picture that the service fetched, without paying again", async () => {
    fakes.compose = (options) => {
      if (options.format === "png") throw pngTooLarge;
      return { format: "webp" };
    };
    const given = [{ link: "https://example.com/cat.jpg" }];

    const reply = read(await cutOut(ctx(), { all: given, order: { wishes: { format: "png" } } }));

    expect(reply.files).toEqual(["cat-cutout.webp"]);
    expect(sent).toHaveLength(1);
  });

  it("reads a background picture before anything is paid", async () => {
    fakes.inspect = () => {
      throw new InputError("x", { code: "picture_unreadable" });
    };
    const [picture] = pictures("wall.png");
    if (picture === undefined || !("attachment" in picture)) throw new TypeError();
    const ground = { kind: "picture", picture: picture.attachment } as const;

    await expect(go(["cat.jpg"], { ground })).rejects.toMatchObject({ code: "picture_unreadable" });
    expect(sent).toEqual([]);
  });

  it("throws the reason when it is cancelled", async () => {
    fakes.remove = (_, options) => hanging(options);
    const running = go(["cat.jpg"]);

    abort.abort(cancelled);

    await expect(running).rejects.toBe(cancelled);
  });
});

describe("cutOut with several pictures", () => {
  it("says which failed and why, and adds up the cost", async () => {
    fakes.remove = async (picture) => {
      if (picture === "b.png") throw new InputError("x", { code: "unknown_foreground" });
      return { ...removal };
    };

    const reply = read(await go(["a.png", "b.png", "c.png"]));

    expect(reply).toMatchObject({
      title: "2 of 3 pictures done",
      footer: "0.5 credits",
      files: ["a-cutout.png", "c-cutout.png"],
      preview: "overview.webp",
    });
    expect(reply.text).toContain("**b.png**: No subject found");
  });

  it("sends the same bytes once, shows both results, and counts the cost once", async () => {
    fakes.files = { "twin.jpg": "cat.jpg" };

    const reply = read(await go(["cat.jpg", "twin.jpg", "dog.jpg"]));

    expect(sent.sort()).toEqual(["cat.jpg", "dog.jpg"]);
    expect(reply.files).toEqual(["cat-cutout.png", "twin-cutout.png", "dog-cutout.png"]);
    expect(reply.text).toContain("**twin.jpg** is the same file as **cat.jpg**");
    expect(reply.footer).toBe("0.5 credits");
  });

  it("gives files of the same name different names, and numbers a chosen name", async () => {
    fakes.files = { "a.png": "1" };
    expect(read(await go(["a.png", "a.jpg"])).files).toEqual(["a-cutout.png", "a-cutout-2.png"]);
    expect(read(await go(["x.png", "y.png"], { name: "set" })).files).toEqual([
      "set-1.png",
      "set-2.png",
    ]);
  });

  it("shows how many are done and the step of each of the others", async () => {
    await go(["a.png", "b.png"]);

    expect(shown[0]).toMatch(/Removing the backgrounds 0 0 of 2 pictures/u);
    expect(shown.join("\n")).toContain("**a.png** · Removing the background");
    expect(shown.at(-1)).toContain("1 2 of 2 pictures");
  });

  it("keeps the results when cancelled, and says which pictures were interrupted and which untouched", async () => {
    fakes.remove = (picture, options) => {
      if (picture === "queued.png") options.onQueued?.({ ahead: 2, waitMs: 60_000 });
      return picture === "done.png" ? Promise.resolve(removal) : hanging(options);
    };
    const running = go(["done.png", "sent.png", "queued.png", "next.png", "late.png"]);
    await expect.poll(() => sent.length).toBe(4);

    abort.abort(cancelled);
    const reply = read(await running);

    expect(reply).toMatchObject({ title: "1 of 5 pictures done", files: ["done-cutout.png"] });
    expect(reply.text).toContain("(may have been charged): sent.png and next.png");
    expect(reply.text).toContain("nothing was charged: queued.png and late.png");
    expect(reply.labels).toContain("Try 2 pictures again");
  });

  it("finishes a picture that was paid for just before the cancellation", async () => {
    const composeResult = Promise.withResolvers<Partial<ComposedCutout>>();
    fakes.compose = () => composeResult.promise;
    const running = go(["cat.jpg"]);
    await expect.poll(() => composing.length).toBe(1);

    abort.abort(cancelled);
    setTimeout(() => composeResult.resolve({}), 50);

    expect(read(await running).files).toEqual(["cat-cutout.png"]);
  });

  it("counts what was charged for a picture that was interrupted", async () => {
    fakes.compose = ({ maxBytes }) =>
      composing.length === 1 && maxBytes !== undefined ? {} : new Promise<never>(() => undefined);
    const running = go(["done.png", "paid.png"]);
    await expect.poll(() => composing.length).toBe(2);

    abort.abort(cancelled);
    const reply = read(await running);

    expect(reply.files).toEqual(["done-cutout.png"]);
    expect(reply.footer).toContain("0.5 credits");
    expect(reply.text).toContain("In progress when stopped");
  });

  it("says what was charged when cancelled without a result", async () => {
    fakes.compose = () => new Promise<never>(() => undefined);
    const running = go(["cat.jpg"]);
    await expect.poll(() => composing.length).toBe(1);

    abort.abort(cancelled);

    await expect(running).rejects.toMatchObject({ code: "cancelled", facts: { charged: 0.25 } });
  });

  it("stops at once after a failure that the others would meet as well", async () => {
    const gone = new LimitError("402", { code: "credits_gone" });
    fakes.remove = async (picture) => {
      if (picture !== "a.png") throw gone;
      return { ...removal };
    };

    const reply = read(await go(["a.png", "b.png", "c.png", "d.png", "e.png", "f.png", "g.png"]));

    expect(sent.length).toBeLessThan(7);
    expect(reply.text).toContain("Stopped early. No credits left");
    expect(reply.text).toContain("g.png");
  });

  const one = (code: "image_refused" | "unknown_foreground", said?: string) =>
    new InputError("400", { code, facts: { service: "background", ...(said && { said }) } });

  it.each([
    ["503", () => down],
    ["a lost answer", () => lost],
    ["an unforeseen refusal", () => one("image_refused", "New.")],
  ])(
    "stops after three pictures in a row that failed with %s, and offers the rest",
    async (_, failure) => {
      fakes.remove = async () => {
        throw failure();
      };

      const names = Array.from({ length: 9 }, (_, at) => `${at}.png`);
      const reply = read(await go(names));

      // Three pictures are worked on at once.
      expect(new Set(sent).size).toBeLessThan(6);
      expect(reply.labels.join("\n")).toMatch(/Try \d+ pictures again/u);
      expect(reply.text).toContain("Stopped early.");
      expect(reply.text).toContain("8.png");
    },
  );

  it.each([
    ["a picture without a subject", () => one("unknown_foreground")],
    ["503", () => down],
    ["a lost answer", () => lost],
    ["an unforeseen refusal", () => one("image_refused", "New.")],
  ])("goes on after %s", async (_, failure) => {
    const bad = ["b.png", "d.png"];
    fakes.remove = async (picture) => {
      if (bad.includes(picture)) throw failure();
      return { ...removal };
    };

    const reply = read(await go(["a.png", "b.png", "c.png", "d.png", "e.png"]));

    expect(new Set(sent).size).toBe(5);
    expect(reply.text).not.toContain("Stopped early");
    for (const name of bad) expect(reply.text).toContain(name);
  });

  it("has separate buttons for pictures that cost nothing and for those that may be charged twice", async () => {
    const failures: Record<string, BotError> = { "b.png": down, "c.png": lost, "d.png": down };
    fakes.remove = async (picture) => {
      const failure = failures[picture];
      if (failure !== undefined) throw failure;
      return { ...removal };
    };

    const { labels } = read(await go(["a.png", "b.png", "c.png", "d.png"]));

    expect(labels.slice(-2)).toEqual(["Try 2 pictures again", "Try again (up to 1 more credit)"]);
  });

  it("packs more than four, and says how many did not fit", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `${at}.png`);

    const reply = read(await go(names));

    expect(reply.files).toEqual(["cutouts.zip"]);
    expect(reply.title).toBe("10 of 10 pictures done");
    expect(reply.text).toContain("2 pictures were left out");
    expect(read(await go(names, { delivery: "files" }))).toMatchObject({ preview: undefined });
  });

  it("keeps the files of one message under its size, and packs as many archives as it takes", async () => {
    const png = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
    fakes.compose = ({ maxBytes = 0 }) => ({
      bytes: Buffer.concat([png, Buffer.alloc(maxBytes - png.length)]),
    });
    const names = Array.from({ length: 10 }, (_, at) => `${at}.png`);

    const { reply } = read(await go(names));

    const files = (reply as FilesReply).files as readonly ReplyFile[];
    expect(files.map(({ name }) => name)).toEqual([
      "cutouts-1.zip",
      "cutouts-2.zip",
      "cutouts-3.zip",
      "cutouts-4.zip",
    ]);
    for (const { data } of files) expect(data.byteLength).toBeLessThanOrEqual(10_000_000);
    const total = files.reduce((sum, { data }) => sum + data.byteLength, 0);
    expect(total).toBeGreaterThan(20_000_000);
    expect(total).toBeLessThan(24.5 * 1024 * 1024);
  });

  it("keeps buttons and selects to five rows", async () => {
    const { reply } = read(await go(["a.png"]));

    expect((reply as FilesReply).buttons?.length).toBeLessThanOrEqual(25);
  });
});
