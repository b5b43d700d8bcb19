import type { youtube_v3 } from "@googleapis/youtube";
import { describe, expect, it } from "vitest";
import {
  largeThumbnail,
  listThumbnails,
  smallThumbnail,
  type Thumbnails,
} from "../../src/video/index.ts";

type Sizes = keyof youtube_v3.Schema$ThumbnailDetails;

/** Every size that YouTube has. */
const all = {
  default: { url: "https://i.example/default.jpg", width: 120, height: 90 },
  medium: { url: "https://i.example/medium.jpg", width: 320, height: 180 },
  high: { url: "https://i.example/high.jpg", width: 480, height: 360 },
  standard: { url: "https://i.example/standard.jpg", width: 640, height: 480 },
  maxres: { url: "https://i.example/maxres.jpg", width: 1280, height: 720 },
  fhd: { url: "https://i.example/fhd.jpg", width: 1920, height: 1080 },
  qhd: { url: "https://i.example/qhd.jpg", width: 2560, height: 1440 },
  uhd: { url: "https://i.example/uhd.jpg", width: 3840, height: 2160 },
} as const satisfies Record<Sizes, Thumbnails[Sizes]>;

const order = ["uhd", "qhd", "fhd", "maxres", "standard", "high", "medium", "default"] as const;

describe("listThumbnails", () => {
  it("lists every size that the service names, the largest first", () => {
    expect(listThumbnails(all).map(({ size }) => size)).toEqual(order);
  });

  it("leaves out what has no address on the web", () => {
    const odd = { ...all, uhd: { url: "javascript:alert(1)" } };

    expect(listThumbnails(odd).map(({ size }) => size)).toEqual(order.slice(1));
    expect(listThumbnails(undefined)).toEqual([]);
  });
});

describe("largeThumbnail", () => {
  it.each(order)("is %s where nothing is larger", (size) => {
    const there = Object.fromEntries(
      order.slice(order.indexOf(size)).map((name) => [name, all[name]]),
    );

    expect(largeThumbnail(there)).toBe(all[size].url);
  });
});

describe("smallThumbnail", () => {
  it("is medium where there is one, and otherwise the smallest that there is", () => {
    expect(smallThumbnail(all)).toBe(all.medium.url);
    expect(smallThumbnail({ fhd: all.fhd, uhd: all.uhd })).toBe(all.fhd.url);
    expect(smallThumbnail({})).toBeUndefined();
  });
});
