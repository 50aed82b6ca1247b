# cmake --install: program, libraries, public headers and a package for find_package(whittle), which
# has the targets whittle::core, whittle::node and, where they are built, whittle::posix and
# whittle::client. The headers of those two lie apart: they are included by their paths here.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(NOT TARGET whittle_node)
  return()
endif()
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/whittle)
set_target_properties(whittle_core PROPERTIES EXPORT_NAME core)
set_target_properties(whittle_node PROPERTIES EXPORT_NAME node)
set_target_properties(whittle_proto PROPERTIES EXPORT_NAME proto)
install(TARGETS whittle_core whittle_node whittle_proto EXPORT whittle
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET whittle_client)
  set_target_properties(whittle_posix PROPERTIES EXPORT_NAME posix)
  set_target_properties(whittle_client PROPERTIES EXPORT_NAME client)
  install(TARGETS whittle_posix whittle_client EXPORT whittle
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/whittle-host)
endif()
get_directory_property(proto_headers DIRECTORY ${CMAKE_SOURCE_DIR}/lib/whittle
  DEFINITION whittle_proto_HEADERS)
install(FILES ${proto_headers} DESTINATION ${WHITTLE_INSTALLED_NANOPB_DIR})
install(EXPORT whittle NAMESPACE whittle:: FILE whittle-config.cmake DESTINATION ${package_dir})
write_basic_package_version_file(whittle-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/whittle-config-version.cmake DESTINATION ${package_dir})
if(TARGET whittle)
  install(TARGETS whittle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
