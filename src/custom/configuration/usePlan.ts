import { useState } from 'react'
import type { Plan } from '../../domain/configuration/plan.ts'
import { type PlanOptions, planConfiguration } from '../../domain/configuration/planConfiguration.ts'
import { readConfiguration } from '../../domain/configuration/readConfiguration.ts'
import type { RecordsByEntity } from '../../domain/configuration/storedRecords.ts'
import { useToast } from '../../engine/parts/useToast.ts'
import { applyChanges, type ConfigurationServer, readRecords } from './configurationCalls.ts'

type PlanState =
  | { kind: 'idle' | 'planning' }
  | { kind: 'applying'; done: number; total: number }
  /** @property differs whether the server has other values now than the file */
  | { kind: 'applied'; count: number; differs: boolean }
  | { kind: 'failed'; message: string; done: number }

/** The plan of a file, and its application. */
export function usePlan(server: ConfigurationServer, text: string, options: PlanOptions) {
  const { showError } = useToast()
  const [state, setState] = useState<PlanState>({ kind: 'idle' })
  const [variables, setVariables] = useState<readonly string[]>([])
  const [planned, setPlanned] = useState<{ plan: Plan; stored: RecordsByEntity }>()

  async function readPlan() {
    const stored = await readRecords(server)
    return { plan: planConfiguration(readConfiguration(text), stored, options), stored }
  }

  return {
    plan: planned?.plan,
    /** The variables that the last plan asked for. */
    variables,
    state,
    forget: () => {
      setPlanned(undefined)
      setState({ kind: 'idle' })
    },
    makePlan: async () => {
      setState({ kind: 'planning' })
      try {
        const made = await readPlan()
        setPlanned(made)
        setVariables(made.plan.variables)
      } catch (error) {
        showError(error)
      }
      setState({ kind: 'idle' })
    },
    apply: async () => {
      if (!planned) return
      const { changes } = planned.plan
      setState({ kind: 'applying', done: 0, total: changes.length })
      try {
        const failure = await applyChanges(server, changes, planned.stored, (done) =>
          setState({ kind: 'applying', done, total: changes.length }),
        )
        // Secrets were sent: a plan that sends them again is never empty.
        const stored = await readRecords(server)
        const plan = planConfiguration(readConfiguration(text), stored, { ...options, sendSecrets: false })
        setPlanned({ plan, stored })
        if (failure) {
          const { error, failed, done } = failure
          const place = failed ? `${failed.entity} “${failed.name}”: ` : ''
          setState({ kind: 'failed', message: `${place}${error.message}`, done: done.length })
        } else setState({ kind: 'applied', count: changes.length, differs: plan.changes.length > 0 })
      } catch (error) {
        showError(error)
        setState({ kind: 'idle' })
      }
    },
  }
}
