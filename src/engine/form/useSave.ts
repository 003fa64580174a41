import { useEffect, useState } from 'react'
import { HttpError, type RaRecord, useCreate, useDataProvider, useEvent, useRefresh, useUpdate } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { errorMessage } from '../../domain/errors.ts'
import type { Conflict } from '../../records/changes.ts'
import type { WriteMeta } from '../../records/writeRecords.ts'
import { describeField } from '../../schemas/define/describe.ts'
import type { Values } from '../../schemas/define/values.ts'
import { newChangeGroup } from '../../undo/changeGroup.ts'
import { useScreen } from '../define/screen.ts'
import { useUndoLink } from '../define/useUndoLink.ts'
import { useToast } from '../parts/useToast.ts'
import { joinGroups, memberOfField } from './memberOf.ts'

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
 * @param onRefused of a form that is open: is told of the field that the server's words begin with, and of the rest
 */
export function useSave(
  record: RaRecord | undefined,
  onSaved: (saved?: RaRecord) => void,
  onRefused?: (field: string, words: string) => void,
) {
  const { entity, definition, texts } = useScreen()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const refresh = useRefresh()
  const toast = useToast()
  const undoLink = useUndoLink()
  const [create, { isPending: isCreating }] = useCreate()
  const [update, { isPending: isUpdating }] = useUpdate()
  const [isJoining, setJoining] = useState(false)
  const [conflict, setConflict] = useState<OpenConflict>()

  const isSaving = isCreating || isUpdating || isJoining

  const tellLate = useEvent(toast.awaitAnswer)
  useEffect(() => (isSaving ? tellLate() : undefined), [isSaving, tellLate])

  /** Writes the groups that hold the record, where somebody has chosen others. @returns whether that went well */
  const putInto = async (id: RaRecord['id'], groups: readonly number[] | undefined, meta: WriteMeta) => {
    if (!groups || !definition.memberOf) return true
    setJoining(true)
    try {
      await joinGroups(dataProvider, definition.memberOf, id, groups, meta)
      return true
    } catch (error) {
      toast.showError(error)
      return false
    } finally {
      setJoining(false)
      refresh()
    }
  }

  const onError = (mine: Values) => (error: unknown) => {
    if (error instanceof HttpError && error.status === 409) {
      setConflict({ ...(error.body as Conflict), mine })
      return
    }
    toast.showError(error)
    const [, field = '', words = ''] = /^(\w+): (.+)$/s.exec(errorMessage(error)) ?? []
    if (describeField(entity, field)?.editable) onRefused?.(field, words)
  }

  const change = async (opened: RaRecord, all: Values) => {
    const { groups, data } = apart(all)
    if (Object.keys(all).length === 0) return onSaved()
    const what = texts.what([{ ...opened, ...data }])
    const meta = { changeGroup: newChangeGroup() }
    const isOwn = Object.keys(data).length > 0
    const finish = async (saved?: RaRecord) => {
      // The form stays for another try.
      if (!(await putInto(opened.id, groups, meta))) return
      onSaved(saved)
      const link = undoLink('update', isOwn ? undefined : definition.memberOf?.entity)
      toast.show({ key: 'app.toast.updated', args: { what }, link })
    }
    if (!isOwn) return finish()
    const params = { id: opened.id, data, previousData: opened, meta }
    update(entity.name, params, { mutationMode: 'pessimistic', onError: onError(all), onSuccess: finish })
  }

  const make = (all: Values) => {
    const { groups, data } = apart(all)
    const what = texts.what([{ ...data, id: 0 }])
    const meta = { changeGroup: newChangeGroup() }
    const onSuccess = async (saved: RaRecord) => {
      // It is there, and a second try would make another one.
      await putInto(saved.id, groups, meta)
      onSaved(saved)
      toast.show({ key: 'app.toast.created', args: { what } })
    }
    create(entity.name, { data, meta }, { mutationMode: 'pessimistic', onError: onError(all), onSuccess })
  }

  return {
    isSaving,
    save: (data: Values) => (record ? void change(record, data) : make(data)),
    conflict,
    /** Saves the chosen values, compared again with the record as it was when the conflict was found. */
    decide: (decided: Values) => {
      setConflict(undefined)
      if (conflict) void change(conflict.fresh, decided)
    },
    dismiss: () => setConflict(undefined),
  }
}

/** What the record holds itself, and the groups that are to hold it. */
function apart({ [memberOfField]: groups, ...data }: Values): { data: Values; groups?: readonly number[] } {
  return { data, groups: groups as readonly number[] | undefined }
}
