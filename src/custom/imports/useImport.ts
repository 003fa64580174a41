import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useDataProvider } from 'react-admin'
import { sendBytes } from '../../api/apiClient.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useToast } from '../../engine/parts/useToast.ts'
import type { Values } from '../../schemas/define/values.ts'
import { type ImportPlanReply, importEndpoints, type MadeImport } from '../../schemas/endpoints/importEndpoints.ts'
import { type ImportKind, importPartBytes } from '../../schemas/imports/importKinds.ts'

export interface ImportSource {
  kind: ImportKind
  database: File
  /** The product's settings file. */
  settings?: File
}

type ImportState =
  | { step: 'idle' | 'reading' }
  /** @property part from 0 to 1 */
  | { step: 'uploading'; part: number }
  | { step: 'refused'; code: string; args: Values }
  | { step: 'planned' | 'applying'; file: string; plan: ImportPlanReply }
  | { step: 'done'; made: MadeImport }

export const importsKey = ['imports'] as const

/** An import on its way: the file is uploaded, read by the server, looked at, and applied. */
export function useImport() {
  const { showError } = useToast()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  const [state, setState] = useState<ImportState>({ step: 'idle' })
  const stop = useRef<AbortController>(undefined)

  const forget = () => setState({ step: 'idle' })

  async function makePlan({ kind, database, settings }: ImportSource): Promise<void> {
    const controller = new AbortController()
    stop.current = controller
    // There is nothing to upload: what comes of a download that failed.
    if (database.size === 0) return setState({ step: 'refused', code: 'damaged', args: {} })
    setState({ step: 'uploading', part: 0 })
    try {
      const file = await uploadFile(dataProvider, database, {
        onProgress: (part) => setState({ step: 'uploading', part }),
        signal: controller.signal,
      })
      setState({ step: 'reading' })
      const text = (await settings?.text()) ?? ''
      const { plan, refusal } = await dataProvider.call(importEndpoints.planImport, { file, kind, settings: text })
      if (plan) setState({ step: 'planned', file, plan })
      else if (refusal) setState({ step: 'refused', ...refusal })
    } catch (error) {
      forget()
      if (!controller.signal.aborted) showError(error)
    }
  }

  async function apply(name: string): Promise<void> {
    if (state.step !== 'planned') return
    const { file, plan } = state
    setState({ step: 'applying', file, plan })
    try {
      const made = await dataProvider.call(importEndpoints.applyImport, { file, name, digest: plan.digest })
      setState({ step: 'done', made })
    } catch (error) {
      setState({ step: 'planned', file, plan })
      showError(error)
    }
    // Records of every kind may be new, and settings too.
    queryClient.removeQueries({ queryKey: ['collection'] })
    await queryClient.invalidateQueries()
  }

  return { state, makePlan, apply, forget, cancel: () => stop.current?.abort() }
}

/**
 * Sends a file in parts: a slow line has a minute for each, and proxies that refuse large bodies take them.
 * @param onProgress called with how much of it was sent, from 0 to 1
 * @returns what the server calls it
 */
async function uploadFile(
  { call }: Pick<ConsoleDataProvider, 'call'>,
  content: Blob,
  { onProgress, signal }: { onProgress: (part: number) => void; signal: AbortSignal },
): Promise<string> {
  const { file } = await call(importEndpoints.startImportFile, { bytes: content.size })
  for (let offset = 0; offset < content.size; offset += importPartBytes) {
    if (signal.aborted) {
      await call(importEndpoints.dropImportFile, { file })
      signal.throwIfAborted()
    }
    await sendBytes(importEndpoints.addImportPart, { file, offset }, content.slice(offset, offset + importPartBytes))
    onProgress(Math.min(1, (offset + importPartBytes) / content.size))
  }
  return file
}
