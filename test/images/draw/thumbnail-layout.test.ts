import { describe, expect, it } from "vitest";
import {
  layOutThumbnail,
  type StandingSubject,
} from "../../../src/images/draw/thumbnail-layout.ts";

const canvas = { width: 1280, height: 720 };
const whole = { left: false, right: false, top: false, bottom: false };
const subject = (
  width: number,
  height: number,
  cut: Partial<StandingSubject["cut"]> = {},
): StandingSubject => ({
  width,
  height,
  cut: { ...whole, ...cut },
});
/** Measures a title of about seven letters a line. */
const letters = ({ width }: { readonly width: number }) => width / 7;

describe("layOutThumbnail", () => {
  it.each(["left", "center", "right"] as const)("keeps the proportions at the %s", (side) => {
    const { subject: box } = layOutThumbnail(subject(900, 600), { canvas, side });

    expect(box.width / box.height).toBeCloseTo(1.5, 1);
  });

  it("stands a subject on the edge that its picture cut it off at", () => {
    const cut = { bottom: true, right: true };
    const { subject: box } = layOutThumbnail(subject(400, 600, cut), { canvas, side: "right" });

    expect(box.top + box.height).toBe(720);
    expect(box.left + box.width).toBe(1280);
    expect(box.top).toBeGreaterThan(20);
  });

  it("lets a whole subject hover in the middle of its height", () => {
    const { subject: box } = layOutThumbnail(subject(600, 300), { canvas, side: "left" });
    const above = box.top;
    const below = 720 - box.top - box.height;

    expect(Math.abs(above - below)).toBeLessThanOrEqual(1);
  });

  it("reaches from edge to edge when the picture cut off both ends", () => {
    const cut = { top: true, bottom: true };
    const { subject: box } = layOutThumbnail(subject(100, 120, cut), { canvas, side: "center" });

    expect([box.top, box.height]).toEqual([0, 720]);
  });

  it("lets a wide subject reach from edge to edge when it stands alone", () => {
    const wide = subject(405, 300, { top: true, bottom: true });
    const alone = layOutThumbnail(wide, { canvas, side: "right" }).subject;
    const titled = layOutThumbnail(wide, { canvas, side: "right", letters }).subject;

    expect([alone.top, alone.height]).toEqual([0, 720]);
    expect(titled.width).toBeLessThanOrEqual(1280 * 0.5);
  });

  it("enlarges a small subject no more than it has to", () => {
    const { subject: box } = layOutThumbnail(subject(200, 250), { canvas, side: "right" });
    const { subject: tiny } = layOutThumbnail(subject(20, 25), { canvas, side: "right" });

    expect(box.height).toBe(500);
    expect(tiny.height).toBeGreaterThan(300);
    expect(tiny.height).toBeLessThan(400);
  });

  it.each(["left", "right"] as const)("keeps the title beside a subject at the %s", (side) => {
    const { subject: box, title } = layOutThumbnail(subject(900, 900), { canvas, side, letters });

    if (title === undefined) throw new Error("no title");
    const [first, second] = side === "left" ? [box, title] : [title, box];
    expect(first.left + first.width).toBeLessThan(second.left);
    expect(title.left).toBeGreaterThan(0);
    expect(title.left + title.width).toBeLessThan(1280);
  });

  it("leaves the corner free where players show the length of the video", () => {
    const { title } = layOutThumbnail(subject(900, 900), { canvas, side: "left", letters });

    expect((title?.top ?? 0) + (title?.height ?? 720)).toBeLessThanOrEqual(720 * 0.91);
  });

  it("gives a long title room at the subject's cost", () => {
    const long = ({ width }: { readonly width: number }) => width / 9;
    const wanted = { canvas, side: "right" } as const;
    const short = layOutThumbnail(subject(900, 900), { ...wanted, letters });
    const narrow = layOutThumbnail(subject(900, 900), { ...wanted, letters: long });

    expect(narrow.subject.width).toBeLessThan(short.subject.width);
    expect(narrow.title?.width).toBeGreaterThan(short.title?.width ?? 0);
  });

  it("runs a title across below a subject in the middle", () => {
    const { subject: box, title } = layOutThumbnail(subject(900, 900), {
      canvas,
      side: "center",
      letters,
    });

    expect(box.top + box.height).toBeLessThanOrEqual(title?.top ?? 0);
    expect(title?.width).toBeGreaterThan(1000);
  });
});
