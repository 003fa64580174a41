import { type RaRecord, useCreate, useUpdate } from 'react-admin'
import type { Values } from './formValues.ts'
import { useScreen } from './screen.ts'
import { useReport } from './useReport.ts'

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
  const options = (key: string, what: string) => ({
    mutationMode: 'pessimistic' as const,
    onError: report.failure,
    onSuccess: () => {
      onSaved()
      report.say({ key, args: { what } })
    },
  })
  return {
    isSaving: isCreating || isUpdating,
    save: (data: Values) => {
      if (!record)
        return void create(entity.name, { data }, options('app.toast.created', texts.what([{ ...data, id: 0 }])))
      const named = texts.what([{ ...record, ...data }])
      if (Object.keys(data).length === 0) return onSaved()
      update(entity.name, { id: record.id, data, previousData: record }, options('app.toast.updated', named))
    },
  }
}
