import { expect, it, onTestFinished, vi } from 'vitest'
import { openFileStream } from '../../../../server/machines/hosts/agent/fileStream.ts'

it('an agent that takes no more data is given up, so that whoever waits for it can go on', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const stream = {
    onFrame() {},
    onDrain() {},
    onEnd() {},
    pause() {},
    resume() {},
    write: () => false,
    pendingBytes: () => 4,
    end() {},
  }
  const opened = await openFileStream({ open: async () => stream })
  const sending = expect(opened.send(Buffer.from('data'))).rejects.toThrow('takes no more data')
  await vi.advanceTimersByTimeAsync(120_000)
  await sending
})
