import { containers } from './containers.ts'
import { disks } from './disks.ts'
import { hardware } from './hardware.ts'
import { network } from './network.ts'
import { packages } from './packages.ts'
import { processes } from './processes.ts'
import { units } from './units.ts'

/** What every machine can be asked without saying more. */
export const subjects = { processes, containers, units, disks, network, packages, hardware } as const
export type SubjectName = keyof typeof subjects

export const isSubject = (name: string): name is SubjectName => Object.hasOwn(subjects, name)
