import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMetrics } from "../../../src/web/index.ts";
import { parseMetrics } from "../../support/metrics-text.ts";

const page = readFileSync(new URL("../../../docs/operating.md", import.meta.url), "utf8");

describe("the operator's page", () => {
  it("names every metric of the bot's own, and no other", async () => {
    const metrics = createMetrics({ version: "1" });
    const { types } = parseMetrics((await metrics.render()).text);
    metrics.close();

    const own = [...types.keys()].filter((name) => name.startsWith("greenroom_"));
    const written = [...page.matchAll(/`(greenroom_\w+|_\w+)`/gu)].flatMap(([, name = ""]) =>
      name.startsWith("_") ? [`greenroom_gateway${name}`] : [name],
    );

    const inTable = new Set(written.filter((name) => name !== "greenroom_entries"));
    expect([...inTable].sort()).toEqual(own.sort());
  });
});
