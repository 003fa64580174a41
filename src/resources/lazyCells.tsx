import { type ComponentType, type FunctionComponent, Suspense } from 'react'
import { lazyPart } from '../engine/parts/lazyPart.tsx'

const alarmCells = () => import('./alarm/alarmCells.tsx')

/** Cells that are loaded with the first list that shows them; rows appear without waiting for them. */
export const AlarmCauses = lazyCell(async () => ({ default: (await alarmCells()).AlarmCauses }))
export const AlarmDuration = lazyCell(async () => ({ default: (await alarmCells()).AlarmDuration }))
export const AlarmNotified = lazyCell(async () => ({ default: (await alarmCells()).AlarmNotified }))
export const AlarmRule = lazyCell(async () => ({ default: (await alarmCells()).AlarmRule }))
export const AlarmServer = lazyCell(async () => ({ default: (await alarmCells()).AlarmServer }))
export const AlarmState = lazyCell(async () => ({ default: (await alarmCells()).AlarmState }))
export const AlertRules = lazyCell(async () => ({ default: (await import('./alert-rule/AlertRules.tsx')).AlertRules }))
export const AuditAction = lazyCell(async () => ({ default: (await import('./audit/auditTarget.tsx')).AuditAction }))
export const AuditTarget = lazyCell(async () => ({ default: (await import('./audit/auditTarget.tsx')).AuditTarget }))
export const DdnsStatus = lazyCell(() => import('./ddns/DdnsStatus.tsx'))
export const MuteEnd = lazyCell(() => import('./mute/MuteEnd.tsx'))
export const ServiceStatus = lazyCell(() => import('./service/ServiceStatus.tsx'))

/** A cell that is loaded when it is first shown. */
export function lazyCell(load: () => Promise<{ default: ComponentType }>): FunctionComponent<Record<string, never>> {
  const Part = lazyPart(load)
  return function Cell() {
    return (
      <Suspense>
        <Part />
      </Suspense>
    )
  }
}
