import { useState } from 'react'
import { HttpError, type RaRecord, useCreate, useUpdate } from 'react-admin'
import type { Conflict } from '../../records/changes.ts'
import { useScreen } from '../define/screen.ts'
import { useUndoLink } from '../define/useUndoLink.ts'
import { useToast } from '../parts/useToast.ts'
import type { Values } from './formValues.ts'

/** A save that waits for a person to choose between two values, field by field. */
export interface OpenConflict extends Conflict {
  /** What this person wants to save. */
  mine: Values
}

/**
 * Creates a record, or lays the changed fields over the record as the server has it. A save waits for the server's reply:
 * react-admin's undo would be lost with a closed tab.
 *
 * @param record the record as it was opened; left out to create one
 */
export function useSave(record: RaRecord | undefined, onSaved: () => void) {
  const { entity, texts } = useScreen()
  const toast = useToast()
  const undoLink = useUndoLink()
  const [create, { isPending: isCreating }] = useCreate()
  const [update, { isPending: isUpdating }] = useUpdate()
  const [conflict, setConflict] = useState<OpenConflict>()

  const options = (key: string, what: string, mine: Values) => ({
    mutationMode: 'pessimistic' as const,
    onError: (error: unknown) => {
      if (error instanceof HttpError && error.status === 409) setConflict({ ...(error.body as Conflict), mine })
      else toast.showError(error)
    },
    onSuccess: () => {
      onSaved()
      toast.show({ key, args: { what }, link: record && undoLink('update') })
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
    /** Saves the chosen values, compared again with the record as it was when the conflict was found. */
    decide: (decided: Values) => {
      setConflict(undefined)
      if (conflict) change(conflict.fresh, decided)
    },
    dismiss: () => setConflict(undefined),
  }
}
