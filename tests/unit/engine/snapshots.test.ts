import { beforeEach, describe, expect, it } from 'vitest'
import { createSnapshots, type Snapshots } from '../../../src/engine/define/screen.ts'

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
    expect(await snapshots.ofKey('memory')).not.toBe(first)
  })

  it('are those that were prepared just now for a new order, and then stay that of the order', async () => {
    snapshots.prepare()
    now = 1000
    const snapshot = await snapshots.ofKey('cpu')
    now = 60_000
    expect(await snapshots.ofKey('cpu')).toBe(snapshot)
    expect(taken).toEqual([snapshot])
  })

  it('are taken anew for a new order when one was prepared more than a second ago, or taken for something else', async () => {
    snapshots.prepare()
    now = 1001
    await snapshots.take()
    now = 1002
    expect(await snapshots.ofKey('cpu')).toEqual({ moment: 'taken at 1002' })
  })

  it('that fail do so for who asks for them, and the next order takes another', async () => {
    let isGone = true
    const failing = createSnapshots(async () => {
      if (isGone) throw new Error('gone')
      return 'there'
    })
    failing.prepare()
    await expect(failing.ofKey('cpu')).rejects.toThrow('gone')
    isGone = false
    expect(await failing.ofKey('memory')).toBe('there')
  })
})
