import { useState } from 'react'
import { type Identifier, useDataProvider, useRefresh } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { initialValues } from '../../../engine/form/formValues.ts'
import { service } from '../../../schemas/service.ts'
import type { ReadAddress } from './readAddresses.ts'

interface Progress {
  total: number
  /** Of those that were made. */
  ids: readonly Identifier[]
  isBusy: boolean
  isTakenBack: boolean
  /** The words of the server, or their key, and what they are about. */
  error?: string
  failed?: string
}

/** Makes services one after the other until one is refused, and takes all of them back together. */
export function useCreateServices() {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const refresh = useRefresh()
  const [progress, setProgress] = useState<Progress>()
  const wordsOf = (error: unknown) => (error instanceof Error && error.message) || 'app.toast.unexpected'

  async function create(addresses: readonly ReadAddress[]): Promise<void> {
    const ids: Identifier[] = []
    const now = { total: addresses.length, isTakenBack: false }
    setProgress({ ...now, ids, isBusy: true })
    for (const { name, type, target } of addresses) {
      try {
        const data = { ...initialValues(service), name, type, target }
        const { data: made } = await dataProvider.create(service.name, { data })
        ids.push(made.id)
        setProgress({ ...now, ids: [...ids], isBusy: true })
      } catch (error) {
        setProgress({ ...now, ids: [...ids], isBusy: false, error: wordsOf(error), failed: target })
        refresh()
        return
      }
    }
    setProgress({ ...now, ids: [...ids], isBusy: false })
    refresh()
  }

  async function takeBack(): Promise<void> {
    if (!progress) return
    setProgress({ ...progress, isBusy: true })
    try {
      await dataProvider.deleteMany(service.name, { ids: [...progress.ids] })
      setProgress({ ...progress, isBusy: false, isTakenBack: true, error: undefined, failed: undefined })
    } catch (error) {
      setProgress({ ...progress, isBusy: false, error: wordsOf(error), failed: undefined })
    }
    refresh()
  }

  return { create, takeBack, progress }
}
