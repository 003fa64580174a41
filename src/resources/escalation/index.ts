import { timeInput } from '../../components/inputs/timeInput.ts'
import { column, defineResource } from '../../engine/define/defineResource.ts'
import { field, note, section, warning } from '../../engine/define/form.ts'
import { escalation } from '../../schemas/escalation.ts'
import { EscalationSteps, stepsText } from './EscalationSteps.tsx'

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
    field('steps', () => import('./StepsInput.tsx'), { wide: true }),
    section('repeat', ['repeat_times', 'repeat_min']),
    section('hours', [
      field('days', () => import('./DaysInput.tsx'), { wide: true }),
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
