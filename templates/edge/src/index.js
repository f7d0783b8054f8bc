import { tableWorker } from 'entitable/edge';
import wasm from 'entitable/entitable.wasm';

const { TableObject, worker } = tableWorker({ wasm });
export { TableObject, worker as default };
