// https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway
export const op = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presence: 3,
  voice: 4,
  resume: 6,
  reconnect: 7,
  members: 8,
  invalidSession: 9,
  hello: 10,
  acknowledge: 11,
} as const;

const violations = {
  unknownOpcode: [4_001, "Unknown opcode."],
  decode: [4_002, "Error while decoding payload."],
  notAuthenticated: [4_003, "Not authenticated."],
  authenticationFailed: [4_004, "Authentication failed."],
  alreadyAuthenticated: [4_005, "Already authenticated."],
  invalidSeq: [4_007, "Invalid seq."],
  rateLimited: [4_008, "Rate limited."],
  timedOut: [4_009, "Session timed out."],
  invalidShard: [4_010, "Invalid shard."],
  invalidVersion: [4_012, "Invalid API version."],
  invalidIntents: [4_013, "Invalid intent(s)."],
} as const;

/** What a bot did wrong, with the code and the words its connection is closed with. */
export type Violation = keyof typeof violations;

interface Closable {
  close(code: number, reason: string): void;
}

export function closeFor(connection: Closable, violation: Violation): void {
  const [code, reason] = violations[violation];
  connection.close(code, reason);
}
