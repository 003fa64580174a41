import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { HttpError, useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { OpenConflict } from '../../engine/form/useSave.ts'
import { useToast } from '../../engine/parts/useToast.ts'
import type { Conflict } from '../../records/changes.ts'
import type { Values } from '../../schemas/define/values.ts'
import { saveSetting } from './saveSetting.ts'

/**
 * Saves changed settings and reports the result; success only after the server's confirmation.
 * @param opened the settings when the form was opened
 * @param onSaved called with the saved changes
 */
export function useSaveSetting(opened: Values, onSaved: (changes: Values) => void) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<OpenConflict>()

  const send = async (before: Values, changes: Values) => {
    setSaving(true)
    try {
      if (Object.keys(changes).length > 0) await saveSetting(call, before, changes)
      onSaved(changes)
      toast.show({ key: 'app.site.saved' })
      // A changed real-IP header may have ended this session: the next request shows it.
      void queryClient.invalidateQueries({ queryKey: ['setting'] })
    } catch (error) {
      if (error instanceof HttpError && error.status === 409) {
        setConflict({ ...(error.body as Conflict), mine: changes })
      } else toast.showError(error)
    }
    setSaving(false)
  }

  return {
    isSaving,
    save: (changes: Values) => send(opened, changes),
    conflict,
    /** Saves the decision, compared with the settings at the time of the conflict. */
    decide: (decided: Values) => {
      setConflict(undefined)
      if (conflict) void send(conflict.fresh, decided)
    },
    dismiss: () => setConflict(undefined),
  }
}
