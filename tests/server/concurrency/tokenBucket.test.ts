import { expect, it } from 'vitest'
import { createTokenBucket, createTokenBuckets } from '../../../server/concurrency/tokenBucket.ts'

it('a bucket allows a burst, then its rate, and pays off what cost more than it had', () => {
  let now = 0
  const bucket = createTokenBucket({ burst: 3, perSecond: 2 }, () => now)
  expect([1, 2, 3, 4].map(() => bucket.take())).toEqual([true, true, true, false])
  expect(bucket.waitMs()).toBe(500)
  now += 500
  expect([bucket.take(5), bucket.take()]).toEqual([true, false])
  expect(bucket.waitMs()).toBe(2500)
  now += 60_000
  expect([1, 2, 3, 4].map(() => bucket.take())).toEqual([true, true, true, false])
})

it('a bucket whose rate changes gives nothing back that was taken', () => {
  const bucket = createTokenBucket({ burst: 2, perSecond: 1 }, () => 0)
  bucket.take(2)
  bucket.setRate({ burst: 3, perSecond: 1 })
  expect([bucket.take(), bucket.take()]).toEqual([true, false])
})

it('each key has a bucket of its own, and thousands of keys that took little are forgotten', () => {
  let now = 0
  const buckets = createTokenBuckets({ burst: 1, perSecond: 1 }, () => now)
  expect([buckets.take('a'), buckets.take('a'), buckets.take('b')]).toEqual([true, false, true])
  for (let key = 0; key < 5000; key++) buckets.take(String(key))
  expect(buckets.take('a')).toBe(false)
  now += 1000
  for (let key = 0; key < 5000; key++) expect(buckets.take(String(key))).toBe(true)
})
