import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeTerminalFrame,
  encodeConsumed,
  encodeInput,
  encodeResize,
  terminalLimits,
} from '../../../src/schemas/frames/terminal.ts'
import { readSocketRecording } from '../../support/recorded/socketRecording.ts'

const recorded = readdirSync(new URL('../../../docs/contract/recordings', import.meta.url))
  .filter((name) => name.startsWith('ws-terminal-'))
  .flatMap((name) => readSocketRecording(name.replace('.json', '')))
const sent = recorded.flatMap(({ dir, opcode, hex }) =>
  dir === 'out' && opcode === 'binary' && hex !== undefined ? [Buffer.from(hex, 'hex')] : [],
)
const bytes = (text: string) => new TextEncoder().encode(text)
const resize = (json: string) => decodeTerminalFrame(bytes(`\u0001${json}`))

describe('the frames of a terminal', () => {
  it('are those of the recorded sessions, byte for byte', () => {
    expect(sent).toHaveLength(3)
    expect(sent.map((frame) => decodeTerminalFrame(frame))).toEqual([
      { kind: 'resize', rows: 40, cols: 120 },
      { kind: 'input', bytes: Buffer.from('echo bin-frame\r') },
      // Without a marker it is dropped.
      undefined,
    ])
    expect(Buffer.from(encodeResize({ rows: 40, cols: 120 }))).toEqual(sent[0])
    expect(Buffer.from(encodeInput(bytes('echo bin-frame\r')))).toEqual(sent[1])
  })

  it('come out as they went in', () => {
    const size = (limits: { min: number; max: number }) => fc.integer(limits)
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat({ max: 2 ** 32 - 1 }), (typed, consumed) => {
        expect(decodeTerminalFrame(encodeInput(typed))).toEqual({ kind: 'input', bytes: typed })
        expect(decodeTerminalFrame(encodeConsumed(consumed))).toEqual({ kind: 'consumed', bytes: consumed })
      }),
    )
    fc.assert(
      fc.property(size(terminalLimits.rows), size(terminalLimits.cols), (rows, cols) => {
        expect(decodeTerminalFrame(encodeResize({ rows, cols }))).toEqual({ kind: 'resize', rows, cols })
      }),
    )
  })

  it('encode consumed bytes as four bytes, the most significant first', () => {
    expect([...encodeConsumed(0x01020304)]).toEqual([2, 1, 2, 3, 4])
  })

  it('are read out of the middle of a larger piece of memory', () => {
    const memory = Buffer.from([9, 9, 2, 0, 1, 0, 0])
    expect(decodeTerminalFrame(memory.subarray(2))).toEqual({ kind: 'consumed', bytes: 65536 })
  })

  it.each([
    ['one column', '{"Rows":40,"Cols":1}'],
    ['1001 columns', '{"Rows":40,"Cols":1001}'],
    ['one row', '{"Rows":1,"Cols":80}'],
    ['501 rows', '{"Rows":501,"Cols":80}'],
    ['half a row', '{"Rows":40.5,"Cols":80}'],
    ['words', '{"Rows":"40","Cols":"80"}'],
    ['nothing', ''],
    ['half of it', '{"Rows":40'],
    ['null', 'null'],
    ['a list', '[40,80]'],
    ['other names', '{"width":40}'],
  ])('ignore a size of %s', (_, json) => {
    expect(resize(json)).toBeUndefined()
  })

  it('are dropped when they are none, and never throw', () => {
    expect(decodeTerminalFrame(new Uint8Array())).toBeUndefined()
    const broken = fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc
        .tuple(fc.integer({ min: 0, max: 255 }), fc.json())
        .map(([marker, json]) => new Uint8Array([marker, ...bytes(json)])),
      fc.tuple(fc.constant(1), fc.uint8Array()).map(([marker, rest]) => new Uint8Array([marker, ...rest])),
      fc
        .tuple(fc.constant(2), fc.uint8Array({ maxLength: 6 }))
        .map(([marker, rest]) => new Uint8Array([marker, ...rest])),
    )
    fc.assert(
      fc.property(broken, (frame) => {
        const read = decodeTerminalFrame(frame)
        if (frame.length === 0 || (frame[0] as number) > 2) expect(read).toBeUndefined()
        if (read?.kind === 'resize') {
          expect(read.rows).toBeGreaterThanOrEqual(2)
          expect(read.rows).toBeLessThanOrEqual(500)
          expect(read.cols).toBeGreaterThanOrEqual(2)
          expect(read.cols).toBeLessThanOrEqual(1000)
        }
        if (read?.kind === 'consumed') expect(frame).toHaveLength(5)
        if (read?.kind === 'input') expect(read.bytes).toHaveLength(frame.length - 1)
      }),
      { numRuns: 2000 },
    )
  })
})
