import { describe, expect, it } from 'vitest'
import { createOutputFlow, flowWindow } from '../../../server/sessions/outputFlow.ts'

const mebibyte = 1024 * 1024

function flow() {
  const state = { isPaused: false, buffered: 0, isInputPaused: false }
  const output = createOutputFlow({
    pause: () => {
      state.isPaused = true
    },
    resume: () => {
      state.isPaused = false
    },
    buffered: () => state.buffered,
    isInputPaused: () => state.isInputPaused,
  })
  return { state, ...output }
}

describe('output to a client that acknowledges it', () => {
  it('waits when more than the window is under way, and continues when half of it is acknowledged', () => {
    const { state, sent, consumed } = flow()
    consumed(0)
    sent(flowWindow)
    expect(state.isPaused).toBe(false)
    sent(1)
    expect(state.isPaused).toBe(true)
    consumed(flowWindow / 2)
    expect(state.isPaused).toBe(true)
    consumed(1)
    expect(state.isPaused).toBe(false)
  })

  it('counts what was sent before the client acknowledged anything', () => {
    const { state, sent, consumed } = flow()
    sent(flowWindow * 2)
    expect(state.isPaused).toBe(false)
    consumed(1)
    expect(state.isPaused).toBe(true)
  })

  it('gives no credit for bytes that were never sent', () => {
    const { state, sent, consumed } = flow()
    consumed(2 ** 32 - 1)
    sent(flowWindow + 1)
    expect(state.isPaused).toBe(true)
  })

  it('does not wait for acknowledgements that are behind input that no program reads', () => {
    const { state, sent, consumed, update } = flow()
    consumed(0)
    sent(flowWindow + 1)
    state.isInputPaused = true
    update()
    expect(state.isPaused).toBe(false)
    state.isInputPaused = false
    update()
    expect(state.isPaused).toBe(true)
  })
})

describe('output to a client that acknowledges nothing', () => {
  it('waits only for the connection: above 1 MiB, until a quarter of it is left', () => {
    const { state, sent, update } = flow()
    state.buffered = mebibyte
    sent(100 * mebibyte)
    expect(state.isPaused).toBe(false)
    state.buffered = mebibyte + 1
    update()
    expect(state.isPaused).toBe(true)
    state.buffered = mebibyte / 4 + 1
    update()
    expect(state.isPaused).toBe(true)
    state.buffered = mebibyte / 4
    update()
    expect(state.isPaused).toBe(false)
  })
})
