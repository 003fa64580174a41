import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { useSearchChange } from './useSearchChange.ts'

/** Which chart of a page is shown large, and whose lines are laid over it, as the address has them. */
export interface LargeChartChoice {
  /** The key of the chart. */
  chart: string | undefined
  /** The id of the other record. */
  other: number | undefined
  open: (chart: string) => void
  close: () => void
  compareWith: (id: number | undefined) => void
}

interface OpenedState {
  /** Whether Back leads to the same page without the dialog. */
  hasOpenedChart?: true
}

/** Reads `?chart=cpu&with=12`. */
export function useLargeChart(): LargeChartChoice {
  const [params] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const change = useSearchChange()
  const id = params.get('with') ?? ''
  const hasOpened = (state as OpenedState | null)?.hasOpenedChart === true
  return {
    chart: params.get('chart') ?? undefined,
    other: /^\d{1,15}$/.test(id) ? Number(id) : undefined,
    // Back, as the button of a phone, closes it.
    open: (chart) => change({ chart }, { isStep: true, state: { hasOpenedChart: true } satisfies OpenedState }),
    close: () => (hasOpened ? void navigate(-1) : change({ chart: undefined, with: undefined })),
    compareWith: (other) => change({ with: other === undefined ? undefined : String(other) }),
  }
}
