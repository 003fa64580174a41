import { useRecordContext } from 'react-admin'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { timeInput } from '../../components/inputs/timeInput.ts'
import { column, defineResource } from '../../engine/define/defineResource.ts'
import { field, note, section, warning } from '../../engine/define/form.ts'
import { useNames } from '../../engine/kinds/reference/useNames.tsx'
import { byId, type Row, type TextContext } from '../../records/queryRows.ts'
import { escalation } from '../../schemas/escalation.ts'
import { type Step, stepTexts } from './stepTexts.ts'

export default defineResource(escalation, {
  columns: [
    'id',
    'name',
    column('steps', {
      Cell: EscalationSteps,
      sort: false,
      file: stepsText,
      needs: ['notification-group', 'rota'],
    }),
    column('repeat_times', { align: 'end' }),
    column('repeat_min', { align: 'end' }),
    'from',
    'to',
    'updated_at',
  ],
  card: { beside: [], metrics: ['repeat_times'], below: ['steps'] },
  filters: ['name'],
  form: [
    'name',
    field('steps', async () => ({ default: (await import('./escalationInputs.tsx')).StepsInput }), { wide: true }),
    section('repeat', ['repeat_times', 'repeat_min']),
    section('hours', [
      field('days', async () => ({ default: (await import('./escalationInputs.tsx')).DaysInput }), { wide: true }),
      field('from', timeInput('TimeOfDayInput')),
      field('to', timeInput('TimeOfDayInput')),
      field('time_zone', timeInput('TimeZoneInput')),
    ]),
  ],
  notes: [
    warning('no_steps', ({ steps }) => !steps?.length),
    note('no_repeat', ({ repeat_times }) => !Number(repeat_times)),
  ],
})

type Plan = Row<typeof escalation>

/** Whom a plan tells, and after which time: 'at once: Ops, 15 min: Night rota'. */
function EscalationSteps() {
  const record = useRecordContext<Plan>()
  const language = useLanguage()
  const steps = record?.steps ?? []
  const groupName = useNames(
    'notification-group',
    steps.flatMap(({ notification_group_id }) => notification_group_id ?? []),
  )
  const rotaName = useNames(
    'rota',
    steps.flatMap(({ rota_id }) => rota_id ?? []),
  )
  const nameOf = ({ rota_id, notification_group_id }: Step) =>
    rota_id === undefined ? groupName(notification_group_id ?? 0) : rotaName(rota_id)
  return <>{stepTexts(steps, nameOf, language).join(', ')}</>
}

/** The same for files. */
function stepsText({ steps = [] }: Plan, { related, language }: TextContext): string {
  const nameOf = ({ rota_id, notification_group_id }: Step) => {
    const [entity, id] = rota_id === undefined ? ['notification-group', notification_group_id] : ['rota', rota_id]
    const name = byId(related(String(entity))).get(String(id))?.name
    return name ? String(name) : `#${id}`
  }
  return stepTexts(steps, nameOf, language).join(', ')
}
