import { useState } from 'react'
import { useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { useToast } from '../../../engine/parts/useToast.ts'
import type { InputOf } from '../../../schemas/define/endpoint.ts'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import type { LogLine } from '../../../schemas/inspect/logs.ts'
import { useInspected } from './useInspected.ts'

/** Lines that the browser keeps at most, and those of one answer. */
const mostLines = 100_000
const linesOfPage = 2000

interface Kept {
  /** What was asked. */
  question: string
  lines: readonly LogLine[]
  earlier: string | undefined
}

/**
 * The lines of a log, the last ones as they come. Whoever reads back holds it: what is on screen stays, however much comes
 * meanwhile, until they go on.
 * @param input with the `id` of the server
 */
export function useLogLines(input: InputOf<typeof inspectEndpoints.logs> & { id: number }) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { showError } = useToast()
  const asked = useInspected(inspectEndpoints.logs, input)
  const [kept, setKept] = useState<Kept>()
  const [isLoading, setLoading] = useState(false)
  const question = JSON.stringify(input)
  const { lines, earlier }: Omit<Kept, 'question'> =
    kept?.question === question ? kept : { lines: asked.data?.items ?? [], earlier: asked.data?.earlier }

  async function loadEarlier(): Promise<void> {
    asked.setPaused(true)
    setLoading(true)
    try {
      const page = await call(inspectEndpoints.logs, { ...input, lines: linesOfPage, before: earlier })
      if (page.cause) throw new Error(page.reason)
      setKept({ question, lines: [...page.items, ...lines].slice(-mostLines), earlier: page.earlier })
    } catch (error) {
      showError(error)
    } finally {
      setLoading(false)
    }
  }

  return {
    asked: {
      ...asked,
      setPaused(isPaused: boolean) {
        if (!isPaused) setKept(undefined)
        asked.setPaused(isPaused)
      },
    },
    lines,
    earlier: earlier && lines.length < mostLines ? { isLoading, onLoad: () => void loadEarlier() } : undefined,
  }
}
