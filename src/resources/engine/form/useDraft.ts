import { useEffect, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { describeFields } from '../../../schemas/define/describe.ts'
import type { Entity } from '../../../schemas/define/entity.ts'
import { changesBetween, type Values } from './formValues.ts'

const pause = 250

/**
 * Keeps what somebody has typed for as long as the tab lives, so that an accidental reload loses nothing. Secrets
 * are left out.
 * @returns whether a draft was laid over the form as it opened, and how to forget it
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
    const keep = () => latest && write(key, withoutSecrets(entity, changesBetween(before, latest)))
    const stop = subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        latest = { ...values }
        clearTimeout(timer)
        timer = setTimeout(keep, pause)
      },
    })
    window.addEventListener('pagehide', keep)
    return () => {
      stop()
      clearTimeout(timer)
      window.removeEventListener('pagehide', keep)
      // The form was left on purpose: saved, or its changes thrown away after a question.
      sessionStorage.removeItem(key)
    }
  }, [entity, key, before, subscribe])

  return { restored: draft !== undefined, forget: () => form.reset(before) }
}

const withoutSecrets = (entity: Entity, values: Values): Values => {
  const secrets = new Set(
    describeFields(entity).flatMap(({ name, kind, concealedBy }) => (kind === 'secret' || concealedBy ? [name] : [])),
  )
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.has(name)))
}

function read(key: string): Values | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(key) ?? 'null') as Values | null) ?? undefined
  } catch {
    return undefined
  }
}

function write(key: string, values: Values) {
  try {
    if (Object.keys(values).length > 0) sessionStorage.setItem(key, JSON.stringify(values))
    else sessionStorage.removeItem(key)
  } catch (error) {
    // A full or forbidden store: the form itself is unharmed.
    console.warn('The draft could not be kept.', error)
  }
}
