import { describe, expect, it } from "vitest";
import { rememberExhaustion } from "../../src/budget/index.ts";
import { InputError, NetworkError, ServiceError } from "../../src/errors.ts";
import { callOnce } from "../../src/video/call.ts";
import { createSigner } from "../../src/video/credentials.ts";
import type { MethodSpec } from "../../src/video/methods/spec.ts";
import {
  answering,
  cut,
  failureOf,
  fakeTime,
  openHttp,
  serve,
  type TestServer,
} from "../http/server.ts";

const remove: MethodSpec = {
  verb: "DELETE",
  path: "/playlists",
  title: "Delete a playlist",
  auth: "token",
  scopes: ["youtube"],
  bucket: "units",
  cost: 50,
  effect: "destroy",
  retry: "delete",
  query: { id: { type: "string", about: "", required: true } },
};

const insert: MethodSpec = {
  ...remove,
  verb: "POST",
  effect: "write",
  retry: "create",
  query: {},
  body: { resource: "Playlist", fields: {} },
  result: { kind: "one", resource: "Playlist" },
};

function call(
  server: TestServer,
  method: string,
  methodSpec: MethodSpec,
  params: Record<string, unknown>,
) {
  const time = fakeTime();
  const http = openHttp(time);
  const services = {
    baseUrl: `${server.url}/v3`,
    uploadBaseUrl: `${server.url}/v3`,
    chunkBytes: 1024,
    methodSpecs: {},
    signer: createSigner({ token: "t" }),
    http,
    units: rememberExhaustion(time.now),
    now: time.now,
  };
  return callOnce(services, { method, methodSpec, params, signal: undefined });
}

describe("callOnce", () => {
  it("takes a 404 after a delete that was cut for done", async () => {
    const server = await serve((received, response, count) =>
      (count === 1 ? cut : answering(404))(received, response, count),
    );

    await expect(call(server, "playlists.delete", remove, { id: "a" })).resolves.toBeUndefined();
  });

  it("reports a 404 of a first delete", async () => {
    const server = await serve(answering(404));

    const error = await failureOf(
      call(server, "playlists.delete", remove, { id: "a" }),
      InputError,
    );

    expect(error.code).toBe("not_found");
  });

  it("sends a body as JSON and answers with the resource", async () => {
    const server = await serve(answering(200, { id: "new" }));
    const body = { snippet: { title: "Üben" } };

    const result = await call(server, "playlists.insert", insert, { body });

    expect(result).toEqual({ id: "new" });
    expect(server.received[0]?.url.search).toBe("");
    expect(server.received[0]?.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(JSON.parse(server.received[0]?.body.toString() ?? "")).toEqual(body);
  });

  it.each([
    ["units", 1, 11],
    ["units", 200, 4],
    ["searches", 1, 4],
  ] as const)("tries a read of %s at a price of %i so often: %i", async (bucket, cost, tries) => {
    const server = await serve(answering(503));
    const read: MethodSpec = {
      ...remove,
      verb: "GET",
      effect: "read",
      retry: "read",
      bucket,
      cost,
    };

    await failureOf(call(server, "playlists.list", read, { id: "a" }), ServiceError);

    expect(server.received).toHaveLength(tries);
  });

  it.each([1, 200])(
    "asks once more where the input may be wrong, at a price of %i",
    async (cost) => {
      const server = await serve(
        answering(400, { error: { code: 400, errors: [{ reason: "processingFailure" }] } }),
      );
      const read: MethodSpec = { ...remove, verb: "GET", effect: "read", retry: "read", cost };

      await failureOf(call(server, "playlists.list", read, { id: "a" }), ServiceError);

      expect(server.received).toHaveLength(2);
    },
  );

  it("sends nothing twice that may have been created, and says so", async () => {
    const server = await serve(cut);

    const error = await failureOf(
      call(server, "playlists.insert", insert, { body: {} }),
      NetworkError,
    );

    expect(error.outcome).toBe("unknown");
    expect(server.received).toHaveLength(1);
  });
});
