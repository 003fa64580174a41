import { type ComponentType, type FunctionComponent, Suspense } from 'react'
import { lazyPart } from '../../resources/engine/lazyPart.tsx'

type Parts = typeof import('./alarmParts.tsx')

/** The cells of the alarm history. They come with the first list of alarms; other lists have no use for them. */
export const AlarmState = cell(({ State }) => State)
export const AlarmRule = cell(({ RuleLink }) => RuleLink)
export const AlarmServer = cell(({ ServerLink }) => ServerLink)
export const AlarmCauses = cell(({ Causes }) => Causes)
export const AlarmDuration = cell(({ Duration }) => Duration)

function cell(choose: (parts: Parts) => ComponentType): FunctionComponent<Record<string, never>> {
  const Part = lazyPart(async () => ({ default: choose(await import('./alarmParts.tsx')) }))
  return function Cell() {
    return (
      <Suspense>
        <Part />
      </Suspense>
    )
  }
}
