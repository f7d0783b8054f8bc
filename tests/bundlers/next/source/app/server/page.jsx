import { usePackage as runProgram } from '../../program.js';

export const dynamic = 'force-dynamic';

export default async function Page() {
  return <title>{await runProgram()}</title>;
}
