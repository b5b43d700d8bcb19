/**
 * Replaces a record and keeps the index of its namespace with it. Redis runs it whole or not at all, and logs it as one.
 * KEYS: record, index. ARGV: key, `any`/`none`/`is` and the text expected, `put`/`remove` and the text, time to live in ms
 * or 0. Answers 1 when it was as expected (and, of a removal, there), else 0. With a third key and a seventh argument that
 * record has to have that text, too.
 */
export const replaceScript = `
local stored = redis.call('GET', KEYS[1])
if KEYS[3] and redis.call('GET', KEYS[3]) ~= ARGV[7] then return 0 end
if ARGV[2] == 'none' and stored then return 0 end
if ARGV[2] == 'is' and stored ~= ARGV[3] then return 0 end
if ARGV[4] == 'remove' then
  redis.call('ZREM', KEYS[2], ARGV[1])
  return redis.call('DEL', KEYS[1])
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. now)
if ARGV[6] == '0' then
  redis.call('SET', KEYS[1], ARGV[5])
  redis.call('ZADD', KEYS[2], '+inf', ARGV[1])
else
  redis.call('SET', KEYS[1], ARGV[5], 'PX', ARGV[6])
  redis.call('ZADD', KEYS[2], now + ARGV[6], ARGV[1])
end
return 1
`;
