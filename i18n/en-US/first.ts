import { app } from './app.ts'
import { ra } from './ra.ts'
import { resources } from './resources.ts'
import { validation } from './validation.ts'

/** English without what only parts fetched on demand say: the first list brings no more than it shows. */
export default { ra, app, resources, validation }
