// The handler of every exception that should not happen.
#ifndef WHITTLE_PORTS_CORTEX_M_FAULTS_H_
#define WHITTLE_PORTS_CORTEX_M_FAULTS_H_

// Ends the program with kExitFault plus the exception's number; never hangs, even when the stack is
// exhausted, since it starts a new one.
extern "C" void fault_handler();

#endif  // WHITTLE_PORTS_CORTEX_M_FAULTS_H_
