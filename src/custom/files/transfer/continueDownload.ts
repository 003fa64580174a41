import { refusalText } from '../../../api/refusalText.ts'
import type { OpenSink, Saved, Sink } from './downloadTargets.ts'
import type { OnProgress } from './fileExchange.ts'
import { FileFailure } from './fileFailure.ts'
import { again, isCut } from './resumableFiles.ts'

/** A download that goes on where it was cut. */
export interface ContinuedDownload {
  /** See `ResumableFiles.contentAddress`. */
  address: string
  /** When a part of it is here already: bytes of the whole file, and how many there are. */
  begun?: { size: number; from: number }
}

interface Options {
  continued: ContinuedDownload
  openSink: OpenSink
  /** The first try, by the file session. It must not close the sink. */
  first: (openSink: OpenSink) => Promise<Saved>
  onProgress: OnProgress
  onWait: () => void
  signal: AbortSignal
}

/**
 * Downloads a file, and goes on where it was cut: by HTTP, because file sessions only send whole files. Tried again until
 * nothing comes for five minutes; what has come by then stays for later, where the browser can keep it.
 */
export async function continueDownload(options: Options): Promise<Saved> {
  const { continued, openSink, first, onProgress, onWait, signal } = options
  let begun: Begun | undefined
  const begin = async (size: number, done: number): Promise<Begun> => {
    begun = { sink: await openSink(size), size, done }
    return begun
  }

  /** The first try; `undefined` when it was cut. */
  async function tryFirst(): Promise<Saved | undefined> {
    try {
      return await first(async (size) => counted(await begin(size, 0)))
    } catch (error) {
      if (!begun || !isCut(error) || signal.aborted) throw error
      onWait()
      return undefined
    }
  }

  const goOn = (download: Begun) =>
    again(
      async (wentOn) => {
        const { sink, size, done: from } = download
        for await (const bytes of contentFrom(continued.address, { size, from, signal })) {
          const { length } = bytes
          await sink.write(bytes)
          download.done += length
          wentOn()
          onProgress(download.done, size)
        }
        return { ...(await sink.close()), isResumed: true }
      },
      { signal, onWait },
    )

  try {
    const { begun: before } = continued
    if (before) return await goOn(await begin(before.size, before.from))
    const saved = await tryFirst()
    if (saved) return saved
    if (!begun) throw new FileFailure({ code: 'lost' })
    return await goOn(begun)
  } catch (error) {
    if (isCut(error) && !signal.aborted) await begun?.sink.keep()
    else await begun?.sink.abort()
    throw signal.aborted ? new FileFailure({ code: 'cancelled' }, error) : error
  }
}

interface Begun {
  sink: Sink
  /** Bytes of the whole file, and those that were written. */
  size: number
  done: number
}

/** The sink of a try that may be cut: what was written is counted, and stays. */
const counted = (begun: Begun): Sink => ({
  ...begun.sink,
  write(bytes) {
    const { length } = bytes
    const written = begun.sink.write(bytes)
    if (!written) begun.done += length
    return written?.then(() => {
      begun.done += length
    })
  },
  abort: async () => {},
})

/** The content of a file from a byte on. @throws FileFailure; `incomplete` when it has another size now */
async function* contentFrom(
  address: string,
  { size, from, signal }: { size: number; from: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const lost = (cause: unknown): never => {
    throw new FileFailure({ code: 'lost' }, cause)
  }
  const reply = await fetch(`${address}&offset=${from}`, { signal }).catch(lost)
  if (reply.status >= 500) throw new FileFailure({ code: 'lost' })
  if (reply.headers.get('content-type') !== 'application/octet-stream') throw await refusedBy(reply)
  if (Number(reply.headers.get('content-length')) !== size - from) throw new FileFailure({ code: 'incomplete' })
  let left = size - from
  const reader = reply.body?.getReader()
  while (reader && left > 0) {
    const { done, value } = await reader.read().catch(lost)
    if (done) throw new FileFailure({ code: 'lost' })
    left -= value.length
    yield value
  }
}

async function refusedBy(reply: Response): Promise<FileFailure> {
  const message = await refusalText(reply)
  return new FileFailure({ code: 'refused', ...(message !== undefined && { message }) })
}
