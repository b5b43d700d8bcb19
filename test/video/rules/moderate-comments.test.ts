import { describe, expect, it } from "vitest";
import {
  type CommentResult,
  moderateComments,
  type VideoClient,
} from "../../../src/video/index.ts";
import { seed, seeded } from "../../support/random.ts";
import { type Reply, refuse, startRig } from "./rig.ts";

const route = "POST /comments/setModerationStatus";

/** A stand-in for YouTube that rejects every call with a bad id as a whole. */
function moderating(bad: ReadonlySet<string>, reply: Reply = refuse(404, "commentNotFound")) {
  const done = new Map<string, string>();
  return {
    done,
    routes: {
      [route]: ({ query }: { query: URLSearchParams }): Reply => {
        const ids = query.get("id")?.split(",") ?? [];
        if (ids.length > 50) return refuse(400, "invalidParameter");
        if (ids.some((id) => bad.has(id))) return reply;
        for (const id of ids)
          done.set(id, `${query.get("moderationStatus")} ${query.get("banAuthor")}`);
        return { status: 204 };
      },
    },
  };
}

const named = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`);
const inState = (outcomes: readonly CommentResult[], state: CommentResult["state"]) =>
  outcomes.filter((one) => one.state === state).map(({ id }) => id);

describe("moderateComments", () => {
  it("decides about any number in calls of 50", async () => {
    const { done, routes } = moderating(new Set());
    const { client, asked } = await startRig(routes);

    const outcomes = await moderateComments(client, { ids: named(120), status: "published" });

    expect(inState(outcomes, "done")).toEqual(named(120));
    expect(asked()).toHaveLength(3);
    expect(new Set(done.values())).toEqual(new Set(["published null"]));
  });

  it("sends each id once, and no call for none", async () => {
    const { routes } = moderating(new Set());
    const { client, asked } = await startRig(routes);

    expect(await moderateComments(client, { ids: [], status: "published" })).toEqual([]);
    expect(asked()).toEqual([]);
    const outcomes = await moderateComments(client, { ids: ["a", "b", "a"], status: "published" });
    expect(outcomes).toHaveLength(2);
  });

  it("finds the one bad id among 50 and decides about the others", async () => {
    const { done, routes } = moderating(new Set(["c31"]));
    const { client, asked } = await startRig(routes);

    const outcomes = await moderateComments(client, { ids: named(50), status: "heldForReview" });

    expect(inState(outcomes, "refused")).toEqual(["c31"]);
    expect(outcomes[31]).toMatchObject({ error: { code: "comment_not_found" } });
    expect(inState(outcomes, "done")).toHaveLength(49);
    expect(done.size).toBe(49);
    expect(asked().length).toBeLessThanOrEqual(13);
  });

  it.each([
    [400, "processingFailure"],
    [400, "failedPrecondition"],
    [400, "invalid"],
    [403, "forbidden"],
    [404, "commentNotFound"],
  ])("splits after %i %s", async (status, reason) => {
    const { routes } = moderating(new Set(["c1"]), refuse(status, reason));
    const { client } = await startRig(routes);

    const outcomes = await moderateComments(client, { ids: named(4), status: "published" });

    expect(inState(outcomes, "refused")).toEqual(["c1"]);
    expect(inState(outcomes, "done")).toEqual(["c0", "c2", "c3"]);
  });

  it("spends no more on the search than it may, and names what stayed open", async () => {
    const { routes } = moderating(new Set(named(50)));
    const { client, asked } = await startRig(routes);
    const decision = { ids: named(100), status: "published" } as const;

    const outcomes = await moderateComments(client, decision, { searchUnits: 500 });

    // The two calls themselves, and ten to find out what was wrong with the first.
    expect(asked()).toHaveLength(12);
    expect(inState(outcomes, "done")).toEqual(named(100).slice(50));
    expect(inState(outcomes, "done").length + inState(outcomes, "unknown").length).toBe(100);
  });

  it.each([
    ["the units are gone", refuse(403, "quotaExceeded"), "quota_exceeded"],
    ["the link is broken", refuse(401, "authError"), "auth"],
    ["a permission is missing", refuse(403, "insufficientPermissions"), "insufficient_permissions"],
  ])("stops at once when %s", async (_, reply, code) => {
    const { routes } = moderating(new Set(["c0"]), reply);
    const { client, asked } = await startRig(routes);

    const outcomes = await moderateComments(client, { ids: named(120), status: "published" });

    expect(asked()).toHaveLength(1);
    expect(inState(outcomes, "untried")).toEqual(named(120));
    expect(outcomes[119]).toMatchObject({ error: { code } });
  });

  const passing: readonly (readonly [string, Reply])[] = [
    ["500", { status: 500 }],
    ["503", { status: 503 }],
    ["409 aborted", refuse(409, "aborted")],
    ["a reset connection", { isCut: true }],
  ];

  it.each(passing)("goes on after a call that failed with %s", async (_, reply) => {
    const { routes } = moderating(new Set(["c60"]), reply);
    const { client } = await startRig(routes);

    const outcomes = await moderateComments(client, { ids: named(150), status: "published" });

    expect(inState(outcomes, "done")).toEqual([...named(50), ...named(150).slice(100)]);
    expect(inState(outcomes, "unknown")).toEqual(named(100).slice(50));
  });

  it.each(passing)("stops after three calls in a row that failed with %s", async (_, reply) => {
    const { routes } = moderating(new Set(named(250)), reply);
    const { client } = await startRig(routes);

    const outcomes = await moderateComments(client, { ids: named(250), status: "published" });

    expect(inState(outcomes, "unknown")).toEqual(named(150));
    expect(inState(outcomes, "untried")).toEqual(named(250).slice(150));
  });

  it("shuts authors out only with a rejection, in the types and when it runs", async () => {
    const { done, routes } = moderating(new Set());
    const { client, asked } = await startRig(routes);

    await moderateComments(client, { ids: ["a"], status: "rejected", banAuthor: true });
    expect(done.get("a")).toBe("rejected true");
    // @ts-expect-error banAuthor needs a rejection
    const wrong = moderateComments(client, { ids: ["a"], status: "published", banAuthor: true });

    await expect(wrong).rejects.toMatchObject({ kind: "input", code: "ban_without_reject" });
    expect(asked()).toHaveLength(1);
  });

  it("passes the signal on", async () => {
    const { client } = await startRig(moderating(new Set()).routes);
    const signal = AbortSignal.abort(new Error("enough"));

    const moderating_ = moderateComments(client, { ids: ["a"], status: "published" }, { signal });

    await expect(moderating_).rejects.toThrow("enough");
  });

  it(`tells of every id once, the truth, whatever is bad (seed ${seed})`, async () => {
    const random = seeded(seed);
    for (let run = 0; run < 200; run++) {
      const ids = named(Math.floor(random() * 130));
      const bad = new Set(ids.filter(() => random() < random() * 0.1));
      const { client, sent } = pretending(bad);
      const searchUnits = Math.floor(random() * 3000);

      const outcomes = await moderateComments(
        client,
        { ids, status: "published" },
        { searchUnits },
      );

      expect(outcomes.map(({ id }) => id)).toEqual(ids);
      for (const { id, state } of outcomes) {
        if (state === "done") expect(sent.done.has(id)).toBe(true);
        if (state === "refused") expect(bad.has(id)).toBe(true);
        expect(state).not.toBe("untried");
      }
      const most = Math.ceil(ids.length / 50) * 50 + searchUnits;
      expect(sent.calls * 50).toBeLessThanOrEqual(most);
    }
  });
});

/** A stand-in for the client that makes no requests, so that many runs are quick. */
function pretending(bad: ReadonlySet<string>) {
  const sent = { calls: 0, done: new Set<string>() };
  const call = async (_: string, { id }: { id: readonly string[] }) => {
    sent.calls += 1;
    if (id.some((one) => bad.has(one))) {
      const { videoErrorFor: failureOf } = await import("../../../src/video/failures/failure.ts");
      const { methods } = await import("../../../src/video/methods/index.ts");
      const body = Buffer.from('{"error":{"errors":[{"reason":"commentNotFound"}]}}');
      const method = "comments.setModerationStatus";
      const how = { method, methodSpec: methods[method], signedBy: "token", now: 0 } as const;
      throw failureOf({ status: 404, headers: {}, body }, how);
    }
    for (const one of id) sent.done.add(one);
  };
  return { client: { call } as unknown as VideoClient, sent };
}
