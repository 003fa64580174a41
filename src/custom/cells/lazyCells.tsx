import { type ComponentType, type FunctionComponent, Suspense } from 'react'
import { lazyPart } from '../../resources/engine/parts/lazyPart.tsx'

const alarms = () => import('./alarmCells.tsx')

/** Cells that come with the first list that has them; a row does not wait for them. */
export const AlarmCauses = cell(async () => ({ default: (await alarms()).AlarmCauses }))
export const AlarmDuration = cell(async () => ({ default: (await alarms()).AlarmDuration }))
export const AlarmRule = cell(async () => ({ default: (await alarms()).AlarmRule }))
export const AlarmServer = cell(async () => ({ default: (await alarms()).AlarmServer }))
export const AlarmState = cell(async () => ({ default: (await alarms()).AlarmState }))
export const DdnsStatus = cell(() => import('./DdnsStatus.tsx'))
export const ServiceStatus = cell(() => import('./ServiceStatus.tsx'))

function cell(load: () => Promise<{ default: ComponentType }>): FunctionComponent<Record<string, never>> {
  const Part = lazyPart(load)
  return function Cell() {
    return (
      <Suspense>
        <Part />
      </Suspense>
    )
  }
}
