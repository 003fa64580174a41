import { useState } from 'react'
import { HttpError, type RaRecord, useCreate, useUpdate } from 'react-admin'
import type { Conflict } from '../../../records/changes.ts'
import { useReport } from '../actions/useReport.ts'
import { useScreen } from '../define/screen.ts'
import type { Values } from './formValues.ts'

/** A save that waits for an answer: which of two values to keep, field by field. */
export interface OpenConflict extends Conflict {
  /** What this person wants to save. */
  mine: Values
}

/**
 * Creates, or lays the changed fields over the record as the server has it. Writes wait for the server:
 * there is no undo timer that a closed tab would lose.
 * @param record the record as it was opened; left out to create one
 */
export function useSave(record: RaRecord | undefined, onSaved: () => void) {
  const { entity, texts } = useScreen()
  const report = useReport()
  const [create, { isPending: isCreating }] = useCreate()
  const [update, { isPending: isUpdating }] = useUpdate()
  const [conflict, setConflict] = useState<OpenConflict>()

  const options = (key: string, what: string, mine: Values) => ({
    mutationMode: 'pessimistic' as const,
    onError: (error: unknown) => {
      if (error instanceof HttpError && error.status === 409) setConflict({ ...(error.body as Conflict), mine })
      else report.failure(error)
    },
    onSuccess: () => {
      onSaved()
      report.say({ key, args: { what } })
    },
  })

  const change = (opened: RaRecord, data: Values) => {
    if (Object.keys(data).length === 0) return onSaved()
    const named = texts.what([{ ...opened, ...data }])
    update(entity.name, { id: opened.id, data, previousData: opened }, options('app.toast.updated', named, data))
  }

  return {
    isSaving: isCreating || isUpdating,
    save: (data: Values) => {
      if (record) return change(record, data)
      create(entity.name, { data }, options('app.toast.created', texts.what([{ ...data, id: 0 }]), data))
    },
    conflict,
    /** Saves what was decided, compared anew with the record as it stood when the question was asked. */
    decide: (decided: Values) => {
      setConflict(undefined)
      if (conflict) change(conflict.fresh, decided)
    },
    dismiss: () => setConflict(undefined),
  }
}
