import Alert from '@mui/material/Alert'
import { useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import type { Entry } from '../transfer/entries.ts'
import type { RawPath } from '../transfer/remotePath.ts'
import { pathText, rawOfText } from './fileItems.ts'

interface Taken {
  /** Why the folder could not be looked at. */
  problem?: string
  /** Names of entries that are there already. */
  taken?: readonly string[]
}

/** Which of some entries another folder has already, asked for before they are put there. */
export function useTakenNames(entries: readonly Entry[]) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [found, setFound] = useState<Taken>({})
  const [isAsking, setAsking] = useState(false)

  /** @param isMade whether a folder that is not there will be made */
  async function ask(id: number, folder: RawPath, isMade: boolean): Promise<Taken> {
    const answer = await call(fileEndpoints.folder, { id, path: pathText(folder) })
    const { items, cause, reason = '', detail = '' } = answer
    if (cause && !(isMade && cause === 'failed')) {
      return { problem: translate(`app.inspect.causes.${cause}`, { _: reason, detail }) }
    }
    const there = new Set(items.map(({ name }) => rawOfText(name)))
    const taken = entries.filter(({ raw }) => there.has(raw)).map(({ name }) => name)
    return taken.length ? { taken } : {}
  }

  return {
    ...found,
    isAsking,
    forget: () => setFound({}),
    /** @returns whether nothing is in the way */
    async look(id: number, folder: RawPath, isMade = false): Promise<boolean> {
      setAsking(true)
      try {
        const now = await ask(id, folder, isMade)
        setFound(now)
        return !now.problem && !now.taken
      } catch (error) {
        setFound({ problem: translate((error instanceof Error && error.message) || 'app.toast.unexpected') })
        return false
      } finally {
        setAsking(false)
      }
    },
  }
}

export function TakenNames({ problem, taken }: Taken) {
  const translate = useTranslate()
  if (problem) return <Alert severity="error">{problem}</Alert>
  if (!taken) return null
  return (
    <Alert severity="warning" sx={{ overflowWrap: 'anywhere' }}>
      {translate('app.files.transfers.taken', { names: taken.slice(0, 8).join(', ') })}
    </Alert>
  )
}
