import { app } from './app.ts'
import { ra } from './ra.ts'
import { resources } from './resources.ts'

/**
 * English without what only parts fetched on demand say, as forms say what is wrong with a value: the first list
 * brings no more than it shows.
 */
export default { ra, app, resources }
