import './faults.ts';
import '../../../../src/reading/thread/thread.ts';
