import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useEffect, useState } from 'react'
import { useTranslate } from 'react-admin'
import type { UseFormReturn } from 'react-hook-form'
import { describeFields } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { isObject, type Values } from '../../schemas/define/values.ts'
import { changesBetween } from './validate.ts'

/** Milliseconds after the last change. */
const saveDelay = 250

/**
 * Saves the changes of a form in the browser tab, so that an accidental reload loses nothing. Secrets are left out.
 *
 * @param before the form's values when it opened
 * @returns whether a draft was restored, and a function that discards it
 */
export function useDraft(entity: Entity, id: string | number | undefined, before: Values, form: UseFormReturn<Values>) {
  const key = `wheelhouse.draft.${entity.name}.${id ?? 'create'}`
  const [draft] = useState(() => read(key))
  const { setValue, subscribe } = form

  useEffect(() => {
    for (const [name, value] of Object.entries(draft ?? {})) {
      if (name in before) setValue(name, value, { shouldDirty: true })
    }
  }, [draft, before, setValue])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let latest: Values | undefined
    const save = () => latest && write(key, withoutSecrets(entity, changesBetween(before, latest)))
    const stop = subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        latest = { ...values }
        clearTimeout(timer)
        timer = setTimeout(save, saveDelay)
      },
    })
    window.addEventListener('pagehide', save)
    return () => {
      stop()
      clearTimeout(timer)
      window.removeEventListener('pagehide', save)
      // The form was closed on purpose: saved, or its changes discarded after a question.
      write(key, {})
    }
  }, [entity, key, before, subscribe])

  return { restored: draft !== undefined, discard: () => form.reset(before) }
}

const withoutSecrets = (entity: Entity, values: Values): Values => {
  const secrets = new Set(
    describeFields(entity).flatMap(({ name, kind, concealedBy }) => (kind === 'secret' || concealedBy ? [name] : [])),
  )
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.has(name)))
}

function read(key: string): Values | undefined {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return isObject(draft) ? draft : undefined
  } catch {
    return undefined
  }
}

function write(key: string, values: Values) {
  try {
    if (Object.keys(values).length > 0) sessionStorage.setItem(key, JSON.stringify(values))
    else sessionStorage.removeItem(key)
  } catch (error) {
    // Storage is full or forbidden: the form itself goes on working.
    console.warn('The draft could not be saved.', error)
  }
}

/** Says that the form's values come from a restored draft, with a button to discard it. */
export function RestoredDraftAlert({ onDiscard }: { onDiscard: () => void }) {
  const translate = useTranslate()
  return (
    <Alert
      severity="info"
      variant="outlined"
      sx={{ marginBottom: 2 }}
      action={<Button onClick={onDiscard}>{translate('app.form.discard')}</Button>}
    >
      {translate('app.form.restored')}
    </Alert>
  )
}
