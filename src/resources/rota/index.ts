import { timeInput } from '../../components/inputs/timeInput.ts'
import { column, defineResource } from '../../engine/define/defineResource.ts'
import { field, section, warning } from '../../engine/define/form.ts'
import { rota } from '../../schemas/rota.ts'
import { peopleText, RotaPeople } from './RotaPeople.tsx'

export default defineResource(rota, {
  columns: [
    'id',
    'name',
    'on_duty',
    column('people', {
      Cell: RotaPeople,
      sort: false,
      file: peopleText,
      needs: ['user'],
    }),
    'handover',
    'handover_at',
    'time_zone',
    'updated_at',
  ],
  card: { beside: [], metrics: ['on_duty'], below: ['people'] },
  filters: ['name', 'handover'],
  form: [
    'name',
    field('people', async () => ({ default: (await import('./rotaInputs.tsx')).PeopleInput }), { wide: true }),
    section('handover', ['handover', field('handover_at', timeInput('TimeOfDayInput'))]),
    section('', ['weekday'], { when: ({ handover }) => handover === 1 }),
    section('', [field('starts_on', timeInput('DayInput')), field('time_zone', timeInput('TimeZoneInput'))]),
    field('overrides', async () => ({ default: (await import('./rotaInputs.tsx')).OverridesInput }), { wide: true }),
  ],
  notes: [warning('no_people', ({ people }) => !people?.length)],
})
