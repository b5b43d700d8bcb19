import { beforeAll, describe, expect, it } from "vitest";
import { isolate, type Report } from "../support/isolation/campaign.ts";
import { seed } from "../support/random.ts";

const actions = 1_500;

describe(`three servers, ten people, ${actions} actions (seed ${seed})`, () => {
  let report: Report;

  beforeAll(async () => {
    report = await isolate({ actions, seed });
  }, 300_000);

  it("show nobody what is another server's: its names, keys, people, titles and words", () => {
    expect(report.foreign).toEqual([]);
  });

  it("take a button, a select or a form to no other server", () => {
    expect(report.crossed).toBeGreaterThan(50);
    expect(report.refused).toBe(report.crossed);
  });

  it("really do things: the servers' own things are in hundreds of answers", () => {
    expect(report.telling).toBeGreaterThan(300);
    expect(report.endings.answered).toBeGreaterThan(600);
    expect(report.endings).not.toHaveProperty("bug");
    expect(report.endings).not.toHaveProperty("expired");
  });
});
