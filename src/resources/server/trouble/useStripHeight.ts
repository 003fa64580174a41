import useMediaQuery from '@mui/material/useMediaQuery'
import { use, useCallback } from 'react'
import { DataProviderContext, useStore } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { fullDiskPercent } from '../../../domain/trouble/fullDisk.ts'
import { AnnouncedFeaturesContext } from '../../../engine/define/page.tsx'
import { useIdentity } from '../../../engine/parts/identity.tsx'
import { isZeroTime } from '../../../live/lastReport.ts'
import type { Row } from '../../../records/queryRows.ts'
import { server } from '../../../schemas/server.ts'

/**
 * Pixels: the strip while nothing is wrong, with the last 24 hours beside or below that; a line of trouble, which wraps on
 * narrow screens, what is below the lines with the frame round all, the line that says how many more there are, and the
 * one that says that nobody is told.
 */
const sizes = {
  wide: { quietHeight: 31, mostLines: 6, lineHeight: 36, footHeight: 35, moreHeight: 0, untoldHeight: 0 },
  narrow: { quietHeight: 69, mostLines: 3, lineHeight: 53, footHeight: 46, moreHeight: 44, untoldHeight: 19.5 },
}

function useSizes() {
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down('md'), { noSsr: true })
  return sizes[isNarrow ? 'narrow' : 'wide']
}

/** How many lines the trouble strip has at most on this screen, before it is opened. */
export const useMostLines = (): number => useSizes().mostLines

/** How high the trouble strip is at least while nothing is wrong, in pixels. */
export const useQuietHeight = (): number => useSizes().quietHeight

/** The trouble strip as it is on screen. */
interface Strip {
  /** Things that are wrong, with a line or behind "+ 12 more". */
  lines: number
  /** Pixels. */
  height: number
}

interface KeptStrip extends Strip {
  /** Whether the server counts what is wrong in a profile, where there is something. */
  isCounted: boolean
}

/** What is kept of the trouble strip in this browser, and how to store it. */
const useKeptStrip = () => useStore<KeptStrip | undefined>('table.server.trouble')

/** Whether there was no notifier at the last visit: at the first one, there most likely is none. */
export const useUntold = () => useStore('table.server.untold', true)

/** Stores how the trouble strip is on screen. */
export function useKeepStrip(): (strip: Strip) => void {
  const [, keep] = useKeptStrip()
  const isCounted = use(AnnouncedFeaturesContext)?.has('recent_trouble') === true
  return useCallback((strip: Strip) => keep({ ...strip, isCounted }), [keep, isCounted])
}

/**
 * How high the trouble strip will be, in pixels, by what is known before it is: the embedded server counts what is wrong
 * in the profile. Of others, who is offline or has full disks is in the records of the servers, and the rest is expected
 * to be as at the last visit.
 */
export function useStripHeight(): number {
  const [kept] = useKeptStrip()
  const { identity } = useIdentity()
  const [isUntold] = useUntold()
  const { quietHeight, mostLines, lineHeight, footHeight, moreHeight, untoldHeight } = useSizes()
  const { loadedRows } = use(DataProviderContext) as Partial<ConsoleDataProvider>
  const rows = loadedRows?.<Row<typeof server>>(server.name)
  const troubles: number | undefined = identity?.troubles ?? (kept?.isCounted ? 0 : undefined)
  const lines = troubles ?? rows?.filter(isInTrouble).length ?? 0
  if (kept && (troubles === undefined || lines === kept.lines)) return kept.height
  if (lines === 0) return quietHeight
  const foot = footHeight + (lines > mostLines ? moreHeight : 0) + (isUntold ? untoldHeight : 0)
  return Math.min(mostLines, lines) * lineHeight + foot
}

const isInTrouble = ({ last_active, host, state }: Row<typeof server>) =>
  isZeroTime(last_active) || fullDiskPercent(state?.disk_used, host?.disk_total) !== undefined
