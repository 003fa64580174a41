import { beforeEach, describe, expect, it } from 'vitest'
import { createSnapshots, type Snapshots } from '../../../src/engine/define/snapshots.ts'

let now = 0
let taken: { moment: string }[] = []
let snapshots: Snapshots

beforeEach(() => {
  now = 0
  taken = []
  const takeNew = async () => {
    const snapshot = { moment: `taken at ${now}` }
    taken.push(snapshot)
    return snapshot
  }
  snapshots = createSnapshots(takeNew, () => now)
})

describe('The snapshots of a screen', () => {
  it('are one for all pages of an order, and another for the next order', async () => {
    const first = await snapshots.ofKey('cpu')
    now = 60_000
    expect(await snapshots.ofKey('cpu')).toBe(first)
    expect(snapshots.knownOfKey('cpu')).toBe(first)
    expect(await snapshots.ofKey('memory')).not.toBe(first)
  })

  it('are known for a new order once one has come that was taken for it, and then stay that of the order', async () => {
    expect(snapshots.knownOfKey('cpu')).toBeUndefined()
    const coming = snapshots.take()
    expect(snapshots.knownOfKey('cpu')).toBeUndefined()
    const snapshot = await coming
    now = 1000
    expect(snapshots.knownOfKey('cpu')).toBe(snapshot)
    now = 60_000
    expect(await snapshots.ofKey('cpu')).toBe(snapshot)
    expect(taken).toEqual([snapshot])
  })

  it('are not known for a new order when they were taken more than a second ago', async () => {
    await snapshots.take()
    now = 1001
    expect(snapshots.knownOfKey('cpu')).toBeUndefined()
    expect(await snapshots.ofKey('cpu')).toEqual({ moment: 'taken at 1001' })
  })

  it('that fail are not known, and fail for who asks for them', async () => {
    const failing = createSnapshots(async () => {
      throw new Error('gone')
    })
    await expect(failing.take()).rejects.toThrow('gone')
    expect(failing.knownOfKey('cpu')).toBeUndefined()
    await expect(failing.ofKey('cpu')).rejects.toThrow('gone')
  })
})
